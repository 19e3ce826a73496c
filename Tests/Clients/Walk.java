import java.net.URI;
import java.net.http.*;
import java.util.*;
import java.util.regex.Pattern;

/** Follows every link of an API from ADDRESS/api/ with java.net.http, and prints the number of answered URLs. */
class Walk {
  public static void main(String[] arguments) throws Exception {
    var base = arguments[0];
    var client = HttpClient.newHttpClient();
    var seen = new LinkedHashSet<>(List.of(base + "/api/"));
    var waiting = new ArrayDeque<>(seen);
    while (!waiting.isEmpty()) {
      var request = HttpRequest.newBuilder(URI.create(waiting.remove())).build();
      var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() != 200) throw new Exception(request.uri() + ": " + answer.statusCode());
      var links = Pattern.compile("\"(https?://[^\"]+)\"").matcher(answer.body());
      while (links.find()) {
        if (!links.group(1).startsWith(base + "/")) throw new Exception(links.group(1) + " leads outside of the mock server");
        if (seen.add(links.group(1))) waiting.add(links.group(1));
      }
    }
    System.out.println(seen.size());
  }
}

import java.net.*;
import java.net.http.*;
import java.util.regex.Pattern;

/** Logs in to a shop with java.net.http and gets a file by its signed URL: java Login.java ADDRESS. */
class Login {
  public static void main(String[] arguments) throws Exception {
    var client = HttpClient.newBuilder().cookieHandler(new CookieManager()).followRedirects(HttpClient.Redirect.NORMAL).build();
    var login = HttpRequest.newBuilder(URI.create(arguments[0] + "/login"))
      .header("Content-Type", "application/x-www-form-urlencoded")
      .POST(HttpRequest.BodyPublishers.ofString("user=kean")).build();
    var account = client.send(login, HttpResponse.BodyHandlers.ofString()).body();
    if (!account.contains("\"user\": \"kean\"") && !account.contains("\"user\":\"kean\"")) throw new Exception(account);
    var link = Pattern.compile("\"file\": ?\"([^\"]+)\"").matcher(account);
    if (!link.find()) throw new Exception(account);
    var file = HttpRequest.newBuilder(URI.create(link.group(1).replace("\\/", "/"))).build();
    var text = client.send(file, HttpResponse.BodyHandlers.ofString()).body();
    if (!text.equals("the file")) throw new Exception(text);
  }
}

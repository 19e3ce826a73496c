/// GitHub's REST API.
public enum GitHub {}

"""Tests the included GitHub cassette with github3.py from PyPI: all calls must be answered.

    github_github3.py ADDRESS
"""
import sys

import github3
import github3.session

address = sys.argv[1]


def client(token=None):
    session = github3.session.GitHubSession()
    session.base_url = address
    session.trust_env = False
    return github3.GitHub(token=token, session=session)


def refused(call, kind):
    try:
        call()
    except kind:
        return True
    return False


anybody, owner = client(), client(token="any")
nuke = anybody.repository("kean", "Nuke")
vector = anybody.repository("davbeck", "VectorIO")

calls = {
    "a user": lambda: anybody.user("kean").name == "Alexander Grebenyuk",
    "another user": lambda: anybody.user("davbeck").login == "davbeck",
    "repositories": lambda: [repo.name for repo in anybody.repositories_by("kean")]
    == ["Align", "FetchImage", "Get", "Nuke", "Pulse"],
    "followers": lambda: len(list(anybody.user("kean").followers())) == 3,
    "users that a user follows": lambda: list(anybody.followed_by("kean")) == [],
    "a repository": lambda: nuke.full_name == "kean/Nuke",
    "a moved repository": lambda: anybody.repository("kean", "Yalta").full_name == "kean/Align",
    "a missing repository": lambda: refused(lambda: anybody.repository("kean", "missing"), github3.exceptions.NotFoundError),
    "issues": lambda: [issue.number for issue in nuke.issues()] == [871, 870, 868, 861],
    "issues of a repository": lambda: [issue.number for issue in anybody.issues_on("davbeck", "VectorIO")] == [7, 6, 4],
    "an issue and its comments": lambda: [comment.body_html for comment in nuke.issue(868).comments()],
    "an issue of another repository": lambda: anybody.issue("davbeck", "VectorIO", 4).body_html.startswith("<p"),
    "pulls": lambda: [pull.body_html[:2] for pull in vector.pull_requests()] == ["<p"],
    "a pull": lambda: anybody.pull_request("davbeck", "VectorIO", 6).additions_count == 48,
    "a pull's files and commits": lambda: len(list(nuke.pull_request(870).files())) == 2
    and len(list(nuke.pull_request(870).commits())) == 1,
    "releases": lambda: [release.tag_name for release in nuke.releases()][0] == nuke.latest_release().tag_name,
    "a release by its tag, and its assets": lambda: len(list(nuke.release_from_tag("12.8.0").assets())) == 1,
    "labels, branches, commits, tags": lambda: len(list(nuke.labels())) == 3 and nuke.branch("main").commit.sha
    == list(nuke.commits())[0].sha and len(list(nuke.branches())) == 2 and len(list(nuke.tags())) == 3,
    "contributors, stargazers, languages, topics": lambda: [user.login for user in nuke.contributors()][0] == "kean"
    and len(list(nuke.stargazers())) == 2 and dict(nuke.languages())["Swift"] and "image" in nuke.topics().names,
    "a file": lambda: nuke.readme().decoded == nuke.file_contents("README.md").decoded,
    "a search": lambda: [found.repository.name for found in anybody.search_repositories("nuke")] == ["Nuke", "FetchImage"],
    "a rejected search": lambda: refused(
        lambda: list(anybody.search_repositories("swift")), github3.exceptions.ForbiddenError),
    "the rate limit": lambda: anybody.rate_limit()["resources"]["core"]["limit"] == 60,
    "gists": lambda: len(list(anybody.gists_by("kean"))) == 2,
    "a saying": lambda: anybody.zen(),
    "the signed-in user": lambda: owner.me().login == "kean",
    "addresses": lambda: [email.email for email in owner.emails()] == ["kean@example.com"],
    "own repositories": lambda: len(list(owner.repositories())) == 5,
    "a new issue": lambda: owner.create_issue("kean", "Nuke", "It is slow").number == 871,
    "a comment": lambda: owner.issue("kean", "Nuke", 871).create_comment("Fixed on main.").id,
    "a new gist": lambda: owner.create_gist(
        "Prefetching", {"prefetch.swift": {"content": "let prefetcher = ImagePrefetcher(pipeline)\n"}}).id,
    "a star": lambda: owner.is_starred("kean", "Nuke") and owner.star("kean", "Nuke"),
}
failed = 0
for name, call in calls.items():
    try:
        if not call():
            raise AssertionError("unexpected result")
    except Exception as error:  # All errors are reported.
        failed += 1
        print(f"{name}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
print(len(calls))
sys.exit(1 if failed else 0)

"""Tests the included GitHub cassette with PyGithub from PyPI: all calls must be answered.

    github_pygithub.py ADDRESS
"""
import sys

import github

address = sys.argv[1]
# No pauses between requests and no retries, because a mock server does not need them.
anybody = github.Github(base_url=address, seconds_between_requests=0, seconds_between_writes=0, retry=None)
owner = github.Github(
    base_url=address, auth=github.Auth.Token("any"), seconds_between_requests=0, seconds_between_writes=0, retry=None)
nuke = anybody.get_repo("kean/Nuke")
vector = anybody.get_repo("davbeck/VectorIO")


def refused(call, status):
    try:
        call()
    except github.GithubException as error:
        return error.status == status
    return False


calls = {
    "a user": lambda: anybody.get_user("kean").name == "Alexander Grebenyuk",
    "another user": lambda: anybody.get_user("davbeck").login == "davbeck",
    "page after page": lambda: [repo.name for repo in anybody.get_user("kean").get_repos()]
    == ["Align", "FetchImage", "Get", "Nuke", "Pulse"],
    "one page of 100": lambda: len(list(github.Github(base_url=address, per_page=100).get_user("kean").get_repos())) == 5,
    "followers, and one of them": lambda: [user.name for user in anybody.get_user("kean").get_followers()][0],
    "a repository": lambda: nuke.full_name == "kean/Nuke" and nuke.permissions.pull,
    "a moved repository": lambda: anybody.get_repo("kean/Yalta").full_name == "kean/Align",
    "a missing repository": lambda: refused(lambda: anybody.get_repo("kean/missing"), 404),
    "issues": lambda: [issue.number for issue in nuke.get_issues()] == [871, 870, 868, 861],
    "open issues": lambda: len(list(nuke.get_issues(state="open", sort="created", direction="desc"))) == 4,
    "an issue and its comments": lambda: len(list(nuke.get_issue(868).get_comments())) == 2,
    "an issue of another repository": lambda: vector.get_issue(4).title == "Decode dates other than ISO 8601",
    "pulls": lambda: [pull.number for pull in vector.get_pulls()] == [6],
    "a pull": lambda: vector.get_pull(6).changed_files == 3,
    "a pull's files and commits": lambda: len(list(nuke.get_pull(870).get_files())) == 2
    and len(list(nuke.get_pull(870).get_commits())) == 1,
    "releases": lambda: [release.tag_name for release in nuke.get_releases()][0] == nuke.get_latest_release().tag_name,
    "a release by its tag, and its assets": lambda: len(list(nuke.get_release("12.8.0").get_assets())) == 1,
    "labels, branches, commits, tags": lambda: len(list(nuke.get_labels())) == 3 and nuke.get_branch("main").commit.sha
    == list(nuke.get_commits())[0].sha and len(list(nuke.get_branches())) == 2 and len(list(nuke.get_tags())) == 3,
    "contributors, stargazers, languages, topics": lambda: [user.login for user in nuke.get_contributors()][0] == "kean"
    and len(list(nuke.get_stargazers())) == 2 and "Swift" in nuke.get_languages() and "image" in nuke.get_topics(),
    "a file": lambda: nuke.get_contents("README.md").decoded_content == nuke.get_readme().decoded_content,
    "a search": lambda: anybody.search_repositories("nuke").totalCount == 2,
    "a rejected search": lambda: refused(lambda: list(anybody.search_repositories("swift")), 403),
    "the rate limit": lambda: anybody.get_rate_limit().resources.core.limit == 60,
    "gists": lambda: len(list(anybody.get_user("kean").get_gists())) == 2,
    "the signed-in user": lambda: owner.get_user().login == "kean",
    "a request without a token": lambda: refused(lambda: anybody.get_user().login, 401),
    "addresses": lambda: [email.email for email in owner.get_user().get_emails()] == ["kean@example.com"],
    "own repositories": lambda: all(repo.permissions.admin for repo in owner.get_user().get_repos()),
    "a new issue": lambda: owner.get_repo("kean/Nuke").create_issue(title="It is slow").number == 871,
    "a comment": lambda: owner.get_repo("kean/Nuke").get_issue(871).create_comment("Fixed on main.").id,
    "a new gist": lambda: owner.get_user().create_gist(
        True, {"prefetch.swift": github.InputFileContent("let prefetcher = ImagePrefetcher(pipeline)\n")}, "Prefetching").id,
    "a star": lambda: owner.get_user().has_in_starred(nuke),
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

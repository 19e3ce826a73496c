"""Logs in to a shop and gets a file by its signed URL: python login.py requests|aiohttp ADDRESS"""
import asyncio
import sys


def with_requests(address):
    import requests

    session = requests.Session()
    session.trust_env = False
    account = session.post(f"{address}/login", data={"user": "kean"}, timeout=10).json()
    return account["user"], session.get(account["file"], timeout=10).text


async def with_aiohttp(address):
    import aiohttp

    # aiohttp ignores the cookies of hosts that are IP addresses, unless the jar is "unsafe".
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        async with session.post(f"{address}/login", data={"user": "kean"}) as answer:
            account = await answer.json()
        async with session.get(account["file"]) as answer:
            return account["user"], await answer.text()


client, address = sys.argv[1:]
found = with_requests(address) if client == "requests" else asyncio.run(with_aiohttp(address))
assert found == ("kean", "the file"), found

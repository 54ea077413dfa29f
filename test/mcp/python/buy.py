"""A purchase up to the review link, as Python's own MCP client makes it: buy.py URL auto|legacy|session …"""

import asyncio
import json
import sys
from uuid import uuid4

BUYER = {"email": "python@example.com"}
ADDRESS = {
    "name": "Test Buyer",
    "line1": "1 Main Street",
    "city": "Austin",
    "region": "TX",
    "postal_code": "78701",
    "country": "US",
}


async def buy(client):
    """Works with both generations: `is_error` of 2.x was `isError`, and so on."""
    calls = 0

    async def call(tool, **arguments):
        nonlocal calls
        calls += 1
        result = await client.call_tool(tool, arguments)
        refused = getattr(result, "is_error", None) or getattr(result, "isError", False)
        assert not refused, result.content
        answer = getattr(result, "structured_content", None)
        return answer if answer is not None else result.structuredContent

    listed = await client.list_tools()
    catalog = await call("get_catalog")
    bean = next(bean for bean in catalog["products"] if bean["availability"] == "STOCKED")
    items = [{"product_id": bean["product_id"], "quantity": 1}]
    shipment = {"recipient_ref": "home", "address": ADDRESS, "items": items}
    agent = await call(
        "register_agent", name="Python", contact_email="python@example.com", idempotency_key=str(uuid4())
    )
    own = {"api_key": agent["api_key"]}
    quote = await call(
        "request_quote", buyer=BUYER, shipments=[shipment], **own, idempotency_key=str(uuid4())
    )
    checkout = await call(
        "create_checkout",
        quote_id=quote["id"],
        quote_hash=quote["quote_hash"],
        idempotency_key=str(uuid4()),
        **own,
    )
    refused = await client.call_tool("get_quote", {"quote_id": "qte_none", **own})
    text = await client.read_resource("coffee://policy")
    return {
        "tools": len(listed.tools),
        "calls": calls,
        "review_url": checkout["review_url"],
        "refused": refused.content[0].text.split(":")[0],
        "policy": json.loads(text.contents[0].text)["policy_version"],
    }


async def connected(url, how):
    if how != "session":
        from mcp import Client

        async with Client(url, mode=how) as client:
            return await buy(client)
    from mcp import ClientSession
    from mcp.client import streamable_http

    # 1.x wrote it in one word.
    connect = getattr(streamable_http, "streamable_http_client", None) or getattr(
        streamable_http, "streamablehttp_client"
    )
    async with connect(url) as streams, ClientSession(streams[0], streams[1]) as session:
        await session.initialize()
        return await buy(session)


async def main(url, *ways):
    """One start for all the ways: to import the client costs a second."""
    return {how: await connected(url, how) for how in ways}


print(json.dumps(asyncio.run(main(*sys.argv[1:]))))

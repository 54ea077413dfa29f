"""Reads UCP answers with the official models: prints how many, and what is wrong with the others."""

import importlib
import json
import sys

MODELS = {
    "profile": [("ucp", "BusinessSchema")],
    "search": [("shopping.catalog_search", "SearchResponse")],
    "lookup": [("shopping.catalog_lookup", "LookupResponse")],
    "product": [("shopping.catalog_lookup", "GetProductResponse")],
    "cart": [("shopping.cart", "Cart"), ("shopping.discount", "Cart")],
    "checkout": [("shopping.checkout", "Checkout"), ("shopping.discount", "Checkout")],
    "order": [("shopping.order", "Order")],
    # 0.4 and 0.5 keep it in different places.
    "error": [("shopping.types.error_response", "ErrorResponse"), ("common.types.error_response", "ErrorResponse")],
}


def models(kind):
    for module, name in MODELS[kind]:
        try:
            yield getattr(importlib.import_module(f"ucp_sdk.models.schemas.{module}"), name)
        except ModuleNotFoundError:
            if kind != "error":
                raise


wrong = []
read = 0
for kind, body in json.load(open(sys.argv[1])):
    known = list(models(kind))
    assert known, kind
    try:
        for model in known:
            model.model_validate(body)
        read += 1
    except ValueError as error:
        wrong.append([kind, str(error)[:600]])
print(json.dumps({"read": read, "wrong": wrong}))

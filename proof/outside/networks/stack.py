#!/usr/bin/env python3
"""The service of the contract on another stack: Python's standard library, worker processes, SQLite, live data.

Written from the contract alone: the suite meets a server that shares no line and no habit with the mock.

  python3 stack.py --port 0 --ready-file FILE --workers 3 --live 2 --seed 1 --variant plain

FILE receives JSON with the base URL, the keys and an account. `--variant` takes a name of `VARIANTS`, or `mixed`,
which draws one legal choice for each detail that the contract leaves open.
"""
import argparse
import base64
import json
import math
import multiprocessing
import os
import random
import re
import shutil
import signal
import socket
import sys
import tempfile
import time
import traceback
import uuid
from datetime import datetime, timedelta, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote_to_bytes, urlsplit

sys.dont_write_bytecode = True  # No __pycache__ in the repository.
import stack_mcp
from stack_data import DAY, MINUTE, PROVIDERS, SCHEMA, SECOND, SETTLES, Store, Writer, now_us

BODY_MAX = 2_500_000
DRAIN_MAX = 16_000_000

# What the contract leaves open, with the legal choices. The first choice is the default.
CHOICES = {
    "times": ("millis", "micros", "offset", "seconds", "basic"),
    "article_order": ("newest", "oldest"),
    "article_cursor": ("same", "utc"),
    "article_end": ("null", "empty-page"),
    "pages": ("full", "short"),
    "review_cursor": ("keyset", "offset"),
    "review_order": ("date", "news"),
    "review_end": ("null", "absent"),
    "review_extras": ("all", "none"),
    "unknown_names": ("ignored", "rejected"),
    "bad_query": ("rejected", "tolerated"),
    "bad_id": ("404", "400"),
    "foreign_site": ("404", "empty"),
    "null_optional": ("rejected", "absent"),
    "copies": ("ignored", "required"),
    "issues": ("list", "map", "top"),
    "lengths": ("points", "utf16"),
    "order": ("shape-first", "account-first"),
    "cap": ("after-key", "before-key"),
    "retry_after": ("always", "never", "sometimes"),
    "rate_headers": ("all", "blocked", "address"),
    "address_window": ("sliding", "fixed"),
    "blocked": ("free", "counted"),
    "since": ("visible", "ended"),
    "deliveries": ("repeatable", "once"),
    "calls_summary": ("yes", "no"),
    "snapshot_cursor": ("null", "string"),
    "key_case": ("bytes", "value"),
    "replied_at": ("time", "null"),
    "whitespace": ("accepted", "rejected"),
    "ids": ("lower", "upper"),
    "further_members": ("none", "some"),
    "json": ("compact", "pretty", "escaped"),
    "transport": ("kept", "closed", "chunked"),
    "latency": ("none", "some"),
}
VARIANTS = {
    "plain": {},
    "strict": {
        "times": "micros", "unknown_names": "rejected", "bad_id": "400", "copies": "required", "issues": "map",
        "cap": "before-key", "retry_after": "never", "whitespace": "rejected", "review_end": "absent",
    },
    "lenient": {
        "times": "offset", "article_cursor": "utc", "bad_query": "tolerated", "null_optional": "absent",
        "foreign_site": "empty", "rate_headers": "blocked", "order": "account-first", "key_case": "value",
        "calls_summary": "no", "snapshot_cursor": "string", "replied_at": "null",
    },
    "pages": {
        "times": "seconds", "article_order": "oldest", "article_end": "empty-page", "pages": "short",
        "review_cursor": "offset", "review_order": "news", "review_extras": "none", "since": "ended",
        "retry_after": "sometimes", "rate_headers": "address", "issues": "top",
    },
    "once": {
        "times": "basic", "deliveries": "once", "address_window": "fixed", "blocked": "counted", "lengths": "utf16",
        "retry_after": "never", "rate_headers": "blocked",
    },
    "odd": {
        "ids": "upper", "further_members": "some", "json": "pretty", "transport": "chunked", "latency": "some",
        "review_order": "news", "rate_headers": "address", "times": "micros",
    },
}

POSTING = {"google_business", "facebook_page", "instagram"}
REVIEWING = {"google_business", "facebook_page"}
MEASURING = {
    "google_business", "facebook_page", "instagram", "tiktok", "google_analytics", "google_search_console",
    "google_ads",
}

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.I)
ACCOUNT_ID = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    r"|0{8}-0{4}-0{4}-0{4}-0{12}|f{8}-f{4}-f{4}-f{4}-f{12}",
    re.I,
)
URI = re.compile(r"[a-z][a-z0-9+.-]*:(//[^/?#\s<>\"{}|\\^`]+)?[^\s<>\"{}|\\^`]*", re.I)

def stamp(us, form):
    """An instant as ISO 8601, in one of the legal forms."""
    moment = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=us)
    if form == "micros":
        return moment.isoformat(timespec="microseconds")
    if form == "offset":
        return moment.astimezone(timezone(timedelta(hours=5, minutes=30))).isoformat(timespec="milliseconds")
    if form == "seconds":
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
    if form == "basic":
        return moment.strftime("%Y%m%dT%H%M%S.") + f"{moment.microsecond // 1000:03d}Z"
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def instant(text):
    """Microseconds of an ISO 8601 date-time, or None."""
    if not re.match(r"\d{4}-?\d\d-?\d\d[Tt ]", text):
        return None
    try:
        moment = datetime.fromisoformat(text.upper())
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=timezone.utc)
        return (moment - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(microseconds=1)
    except (ValueError, OverflowError):
        return None


class Refusal(Exception):
    """An error response."""

    def __init__(self, status, code, **extra):
        super().__init__(code)
        self.status = status
        self.code = code
        self.extra = extra
        self.headers = {}


def not_found(what):
    return Refusal(404, "not_found", message=f"{what} not found")


def not_readable(message):
    return Refusal(400, "invalid_input", message=message, issues=[{"path": "", "message": message}])


class Taken:
    """The state of one bucket after a request."""

    def __init__(self, limit, used, reset):
        self.limit = limit
        self.blocked = used > limit
        self.remaining = max(0, limit - used)
        self.reset = reset

    def headers(self):
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Reset": str(-(-self.reset // 1000)),
        }


def take(store, bucket, counting):
    """Counts a request. `counting` is (limit, window, aligned windows, whether blocked requests count)."""
    limit, window, fixed, counted = counting
    with store.transaction() as db:
        now = now_us()
        opened = now - now % window - 1 if fixed else now - window
        db.execute("DELETE FROM hits WHERE bucket = ? AND at <= ?", (bucket, opened))
        hits = [row["at"] for row in db.execute("SELECT at FROM hits WHERE bucket = ? ORDER BY at", (bucket,))]
        used = len(hits) + 1
        if used <= limit or counted:
            db.execute("INSERT INTO hits VALUES (?, ?)", (bucket, now))
            hits.append(now)
    if fixed:
        return Taken(limit, used, opened + 1 + window)
    # The request that must leave the window before another one fits.
    return Taken(limit, used, hits[max(0, len(hits) - limit)] + window)


class Service:
    """The operations. Each takes the request and returns the body of its 200 response."""

    def __init__(self, store, choices):
        self.store = store
        self.choices = choices

    def time(self, us):
        return None if us is None else stamp(us, self.choices["times"])

    def id(self, value):
        return value.upper() if self.choices["ids"] == "upper" else value

    def further(self):
        return {"version": 3, "tags": []} if self.choices["further_members"] == "some" else {}

    def tolerates(self):
        return self.choices["bad_query"] == "tolerated"

    # Articles, sites, keywords

    def article(self, row):
        return {
            **self.further(), "id": self.id(row["id"]), "siteId": self.id(row["site"]),
            "title": row["title"], "slug": row["slug"], "status": row["status"], "targetKeyword": row["keyword"],
            "wordCount": row["words"], "seoScore": row["score"], "publishedAt": self.time(row["published"]),
            "createdAt": self.time(row["created"]), "updatedAt": self.time(row["updated"]),
        }

    def list_articles(self, request):
        issues = Issues()
        limit = self.limit_of(request, issues, (20, 100))
        site = request.query.get("siteId")
        if site is not None and not UUID.fullmatch(site):
            issues.add("siteId", "must be a UUID", self.tolerates())
            site = None
        cursor = request.query.get("cursor")
        after = None if cursor is None else instant(cursor)
        if cursor is not None and after is None:
            issues.add("cursor", "must be an ISO 8601 date-time", self.tolerates())
        issues.check(self)
        if site and not self.store.one("SELECT 1 FROM sites WHERE id = ? AND org = ?", site.lower(), request.org):
            if self.choices["foreign_site"] == "404":
                raise not_found("site")
        newest = self.choices["article_order"] == "newest"
        sql, values = "SELECT * FROM articles WHERE org = ?", [request.org]
        if site:
            sql, values = sql + " AND site = ?", [*values, site.lower()]
        if after is not None:
            sql, values = sql + f" AND created {'<' if newest else '>'} ?", [*values, after]
        sql += f" ORDER BY created {'DESC' if newest else 'ASC'} LIMIT ?"
        size = max(1, limit * 3 // 4) if self.choices["pages"] == "short" else limit
        rows = self.store.all(sql, *values, size + 1)
        page = rows[:size]
        more = len(rows) > size or (self.choices["article_end"] == "empty-page" and len(page) == size)
        return {"data": [self.article(row) for row in page], "cursor": self.article_cursor(page[-1]) if more else None}

    def article_cursor(self, row):
        return stamp(row["created"], "millis") if self.choices["article_cursor"] == "utc" else self.time(row["created"])

    def limit_of(self, request, issues, bounds):
        default, most = bounds
        text = request.query.get("limit")
        if text is None:
            return default
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", text):
            issues.add("limit", "must be an integer", self.tolerates())
            return default
        if not 1 <= int(text) <= most:
            issues.add("limit", f"must be from 1 to {most}", self.tolerates())
        return min(max(int(text), 1), most)

    def get_article(self, request):
        return {"data": self.article(self.record("articles", request))}

    def get_site(self, request):
        return {"data": self.site(self.record("sites", request))}

    def record(self, table, request):
        ident = request.path_values[0]
        if not UUID.fullmatch(ident) and self.choices["bad_id"] == "400":
            issues = Issues()
            issues.add("id", "must be a UUID")
            issues.check(self)
        row = self.store.one(f"SELECT * FROM {table} WHERE id = ? AND org = ?", ident.lower(), request.org)
        if row is None:
            raise not_found(table[:-1])
        return row

    def site(self, row):
        return {
            **self.further(), "id": self.id(row["id"]), "name": row["name"], "domain": row["domain"], "cms": row["cms"],
            "language": row["language"], "createdAt": self.time(row["created"]),
        }

    def list_sites(self, request):
        rows = self.store.all("SELECT * FROM sites WHERE org = ? ORDER BY created", request.org)
        return {"data": [self.site(row) for row in rows]}

    def list_keywords(self, request):
        issues = Issues()
        site = request.query.get("siteId")
        if site is None:
            issues.add("siteId", "is required")
        elif not UUID.fullmatch(site):
            issues.add("siteId", "must be a UUID")
        issues.check(self)
        if not self.store.one("SELECT 1 FROM sites WHERE id = ? AND org = ?", site.lower(), request.org):
            if self.choices["foreign_site"] == "404":
                raise not_found("site")
        rows = self.store.all(
            "SELECT * FROM keywords WHERE site = ? AND org = ? ORDER BY created, id", site.lower(), request.org
        )
        return {
            "data": [
                {
                    "id": self.id(row["id"]), "siteId": self.id(row["site"]), "keyword": row["keyword"],
                    "searchVolume": row["volume"], "difficulty": row["difficulty"], "intent": row["intent"],
                    "createdAt": self.time(row["created"]),
                }
                for row in rows
            ]
        }

    # Connected accounts

    def create_link(self, request):
        body, issues = self.body_of(request, ("provider", "label", "maxAccounts"))
        if body.get("provider") not in PROVIDERS:
            issues.add("provider", f"must be one of {', '.join(PROVIDERS)}")
        self.check_text(issues, body, ("label", 80))
        room = body.get("maxAccounts", 1)
        if isinstance(room, float) and room.is_integer():
            room = int(room)
        if isinstance(room, bool) or not isinstance(room, int) or not 1 <= room <= 20:
            issues.add("maxAccounts", "must be an integer from 1 to 20")
        issues.check(self)
        expires = now_us() + 7 * DAY
        invite = {
            "id": str(uuid.uuid4()), "org": request.org, "provider": body["provider"], "label": body["label"],
            "room": room, "expires": expires, "live": 0,
        }
        with self.store.transaction():
            self.store.insert("invites", invite)
        data = {
            "connectUrl": f"https://connect.example.net/c/{uuid.uuid4().hex}", "expiresAt": self.time(expires),
            "provider": body["provider"], "label": body["label"],
        }
        return {"data": data, "summary": f"Link for {body['provider']} created."}

    def list_accounts(self, request):
        with self.store.transaction("DEFERRED"):
            accounts = self.store.all("SELECT * FROM accounts WHERE org = ? ORDER BY position", request.org)
            invites = self.store.all(
                "SELECT * FROM invites WHERE org = ? AND expires > ? ORDER BY expires, id", request.org, now_us()
            )
        connected = sum(row["status"] == "connected" for row in accounts)
        data = {
            "accounts": [
                {
                    "accountId": self.id(row["id"]), "provider": row["provider"], "label": row["label"],
                    "name": row["name"], "status": row["status"], "locked": bool(row["locked"]),
                    "connectedAt": self.time(row["connected"]),
                }
                for row in accounts
            ],
            "pendingInvites": [
                {
                    "id": row["id"], "label": row["label"], "provider": row["provider"], "maxAccounts": row["room"],
                    "expiresAt": self.time(row["expires"]),
                }
                for row in invites
            ],
            "billing": {
                "connected": connected, "free": 1, "billable": max(0, connected - 1),
                "needsPayment": any(row["locked"] for row in accounts),
            },
        }
        return {"data": data, "summary": f"{len(accounts)} accounts, {len(invites)} pending invites."}

    def account_of(self, request, supporting):
        """The account of the path, able to do what is asked."""
        row = self.store.one(
            "SELECT * FROM accounts WHERE id = ? AND org = ?", request.path_values[0].lower(), request.org
        )
        if row is None:
            raise not_found("account")
        if row["provider"] not in supporting:
            raise Refusal(400, "not_supported", message=f"not available for {row['provider']}")
        if row["locked"]:
            raise Refusal(402, "payment_required", message="the account is locked", reason="payment_method_required")
        if row["status"] == "pending_api_access":
            raise Refusal(403, "provider_permission", message="the platform has not granted access yet")
        if row["status"] != "connected":
            raise Refusal(401, "provider_auth", message="reconnect the account")
        return row

    def in_order(self, issues, find):
        """Reports the issues before or after the account is looked up."""
        is_malformed = any(entry["path"] == "accountId" for entry in issues.entries)
        if self.choices["order"] == "account-first" and not is_malformed:
            found = find()
            issues.check(self)
            return found
        issues.check(self)
        return find()

    def check_account_id(self, request, issues):
        if not ACCOUNT_ID.fullmatch(request.path_values[0]):
            issues.add("accountId", "must be a UUID")

    def publish(self, request):
        body, issues = self.body_of(request, ("accountId", "text", "media", "link"))
        self.check_account_id(request, issues)
        self.check_copies(issues, body, ("accountId",))
        self.check_text(issues, body, ("text", 5000))
        if "media" in body:
            media = body["media"]
            if not isinstance(media, dict):
                issues.add("media", "must be an object")
            elif not is_uri(media.get("imageUrl")):
                issues.add("media.imageUrl", "must be a URI")
        if "link" in body and not is_uri(body["link"]):
            issues.add("link", "must be a URI")
        account = self.in_order(issues, lambda: self.account_of(request, POSTING))
        post = {"id": uuid.uuid4().hex[:18], "account": account["id"], "body": json.dumps(body), "at": now_us()}
        with self.store.transaction():
            self.store.insert("posts", post)
        permalink = None if account["provider"] == "instagram" else f"https://posts.example.net/{post['id']}"
        return {"data": {"postId": post["id"], "permalink": permalink}, "summary": "Published."}

    def list_reviews(self, request):
        issues = Issues()
        self.check_account_id(request, issues)
        position = None
        if "cursor" in request.query:
            position = read_position(request.query["cursor"])
            if position is None:
                issues.add("cursor", "is not a cursor of this list")
        account = self.in_order(issues, lambda: self.account_of(request, REVIEWING))
        rank = "max(at, coalesce(replied, 0))" if self.choices["review_order"] == "news" else "at"
        size = 10
        sql, values = f"SELECT *, {rank} AS rank FROM reviews WHERE account = ?", [account["id"]]
        tail = " ORDER BY rank DESC, id DESC LIMIT ?"
        with self.store.transaction("DEFERRED"):
            if self.choices["review_cursor"] == "offset":
                start = position[0] if position else 0
                rows = self.store.all(sql + tail + " OFFSET ?", *values, size + 1, start)
                following = [start + size, ""]
            else:
                if position:
                    sql, values = sql + f" AND ({rank}, id) < (?, ?)", [*values, *position]
                rows = self.store.all(sql + tail, *values, size + 1)
                following = [rows[size - 1]["rank"], rows[size - 1]["id"]] if len(rows) > size else None
            sums = "SELECT avg(rating) AS mean, count(*) AS n FROM reviews WHERE account = ?"
            total = self.store.one(sums, account["id"])
        data = {"reviews": [self.review(row) for row in rows[:size]]}
        if len(rows) > size:
            data["nextCursor"] = write_position(following)
        elif self.choices["review_end"] == "null":
            data["nextCursor"] = None
        if self.choices["review_extras"] == "all":
            data["aggregate"] = {"ratingValue": round(total["mean"] or 0, 2), "reviewCount": total["n"]}
        return {"data": data, "summary": f"{len(data['reviews'])} reviews."}

    def review(self, row):
        item = {
            "reviewId": row["id"], "author": row["author"], "rating": row["rating"], "text": row["text"],
            "date": self.time(row["at"]),
        }
        if self.choices["review_extras"] == "all":
            item["replied"] = row["reply"] is not None
            if row["reply"] is not None:
                item["replyText"] = row["reply"]
        return item

    def reply(self, request):
        body, issues = self.body_of(request, ("accountId", "reviewId", "text"))
        self.check_account_id(request, issues)
        self.check_copies(issues, body, ("accountId", "reviewId"))
        self.check_text(issues, body, ("text", 4096))
        ident = request.path_values[1]
        if ident == "":
            issues.add("reviewId", "must not be empty")

        def find():
            account = self.account_of(request, REVIEWING)
            if not self.store.one("SELECT 1 FROM reviews WHERE id = ? AND account = ?", ident, account["id"]):
                raise not_found("review")

        self.in_order(issues, find)
        at = now_us()
        with self.store.transaction() as db:
            db.execute("UPDATE reviews SET reply = ?, replied = ? WHERE id = ?", (body["text"], at, ident))
        replied_at = None if self.choices["replied_at"] == "null" else self.time(at)
        return {"data": {"repliedAt": replied_at}, "summary": "Reply sent."}

    def insights(self, request):
        issues = Issues()
        self.check_account_id(request, issues)
        span = request.query.get("range", "28d")
        if span not in ("7d", "28d", "90d"):
            issues.add("range", "must be 7d, 28d or 90d")
        account = self.in_order(issues, lambda: self.account_of(request, MEASURING))
        today = datetime.now(timezone.utc).date()
        days = [str(today - timedelta(days=back)) for back in range(int(span[:-1]), 0, -1)]
        metrics = []
        for key, label in (("views", "Views"), ("clicks", "Clicks"), ("actions", "Actions")):
            points = [
                {"date": day, "value": random.Random(f"{account['id']} {key} {day}").randrange(500)} for day in days
            ]
            total = sum(point["value"] for point in points)
            metrics.append({"key": key, "label": label, "total": total, "points": points})
        data = {"range": {"startDate": days[0], "endDate": days[-1]}, "metrics": metrics}
        return {"data": data, "summary": f"Insights of {span}."}

    # Call log

    def call_log(self, request):
        issues = Issues()
        limit = self.limit_of(request, issues, (50, 200))
        text = request.query.get("since")
        since = None if text is None else instant(text)
        if text is not None and since is None:
            issues.add("since", "must be an ISO 8601 date-time", self.tolerates())
        issues.check(self)
        data = self.snapshot(request, limit) if since is None else self.settled(request, since, limit)
        if self.choices["calls_summary"] == "no":
            return {"data": data}
        return {"data": data, "summary": f"{len(data['calls'])} calls."}

    def snapshot(self, request, limit):
        sql = "SELECT * FROM calls WHERE org = ? ORDER BY started DESC, id LIMIT ?"
        calls = [self.call(row) for row in self.store.all(sql, request.org, limit)]
        cursor = stamp(now_us(), "micros") if self.choices["snapshot_cursor"] == "string" else None
        return {"calls": calls, "nextCursor": cursor}

    def settled(self, request, since, limit):
        delay = SETTLES if self.choices["since"] == "visible" else 0
        once = self.choices["deliveries"] == "once"
        sql = "SELECT * FROM calls WHERE org = ? AND ended > ? AND ended <= ?"
        sql += (" AND delivered = 0" if once else "") + " ORDER BY ended LIMIT ?"
        with self.store.transaction() as db:
            rows = self.store.all(sql, request.org, since - delay, now_us() - SETTLES, limit)
            if once:
                db.executemany("UPDATE calls SET delivered = 1 WHERE id = ?", [(row["id"],) for row in rows])
        cursor = stamp(rows[-1]["ended"] + delay, "micros") if rows else None
        return {"calls": [self.call(row) for row in rows], "nextCursor": cursor}

    def call(self, row):
        final = row["ended"] is not None and row["ended"] + SETTLES <= now_us()
        return {
            **self.further(), "callId": row["id"], "phone": row["number"], "direction": row["direction"],
            "startedAt": self.time(row["started"]), "endedAt": self.time(row["ended"]),
            "seconds": None if row["ended"] is None else (row["ended"] - row["started"]) // SECOND,
            "outcome": row["outcome"] if final else None,
        }

    # Bodies

    def body_of(self, request, names):
        """The object of the body, without the optional members that are null where null counts as absent."""
        issues = Issues()
        body = request.json()
        if not isinstance(body, dict):
            issues.add("", "must be an object")
            issues.check(self)
        if self.choices["unknown_names"] == "rejected":
            for name in body.keys() - set(names):
                issues.add(name, "is not known")
        if self.choices["null_optional"] == "absent":
            optional = ("maxAccounts", "media", "link")
            body = {name: value for name, value in body.items() if value is not None or name not in optional}
        return body, issues

    def check_text(self, issues, body, rule):
        name, most = rule
        text = body.get(name)
        if not isinstance(text, str):
            issues.add(name, "must be a string" if name in body else "is required")
            return
        size = len(text.encode("utf-16-le")) // 2 if self.choices["lengths"] == "utf16" else len(text)
        if not 1 <= size <= most:
            issues.add(name, f"must have 1 to {most} characters")
        elif self.choices["whitespace"] == "rejected" and text.strip() == "":
            issues.add(name, "must not be blank")

    def check_copies(self, issues, body, names):
        for name in names:
            if self.choices["copies"] == "required" and body.get(name) is None:
                issues.add(name, "is required")


class Issues:
    """The problems of one request."""

    def __init__(self):
        self.entries = []

    def add(self, path, message, tolerated=False):
        if not tolerated:
            self.entries.append({"path": path, "message": message})

    def check(self, service):
        if not self.entries:
            return
        form = service.choices["issues"]
        issues = {entry["path"]: entry["message"] for entry in self.entries} if form == "map" else self.entries
        where = {"beside": {"issues": issues}} if form == "top" else {"issues": issues}
        raise Refusal(400, "invalid_input", message="the request is not valid", **where)


def is_uri(value):
    if not isinstance(value, str) or not URI.fullmatch(value):
        return False
    try:
        return urlsplit(value).netloc != "" or not value.partition(":")[2].startswith("//")
    except ValueError:
        return False


def write_position(position):
    return base64.urlsafe_b64encode(json.dumps(position).encode()).decode().rstrip("=")


def read_position(cursor):
    try:
        position = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except ValueError:
        return None
    match position:
        case [int(rank), str(ident)] if 0 <= rank < 2**62:
            return [rank, ident]
    return None


# Method, path, query parameters, operation. An asterisk is a value of the path.
ROUTES = (
    ("GET", ("articles",), ("siteId", "limit", "cursor"), Service.list_articles),
    ("GET", ("articles", "*"), (), Service.get_article),
    ("GET", ("sites",), (), Service.list_sites),
    ("GET", ("sites", "*"), (), Service.get_site),
    ("GET", ("keywords",), ("siteId",), Service.list_keywords),
    ("POST", ("connect", "accounts"), (), Service.create_link),
    ("GET", ("connect", "accounts"), (), Service.list_accounts),
    ("POST", ("connect", "accounts", "*", "posts"), (), Service.publish),
    ("GET", ("connect", "accounts", "*", "reviews"), ("cursor",), Service.list_reviews),
    ("POST", ("connect", "accounts", "*", "reviews", "*", "reply"), (), Service.reply),
    ("GET", ("connect", "accounts", "*", "insights"), ("range",), Service.insights),
    ("GET", ("connect", "calls", "log"), ("since", "limit"), Service.call_log),
)

OPERATIONS_OF_TOOLS = {
    "create_connect_link": Service.create_link,
    "list_accounts": Service.list_accounts,
    "publish_post": Service.publish,
    "list_reviews": Service.list_reviews,
    "reply_to_review": Service.reply,
    "get_insights": Service.insights,
    "calls_log": Service.call_log,
}


class Request:
    """A request whose URL has been read."""

    def __init__(self, method, target, body):
        self.method = method
        self.body = body
        self.org = None
        path, _, query = target.partition("#")[0].partition("?")
        self.raw_segments = path.split("/")[1:]
        self.raw_query = query
        self.path_values = []
        self.query = {}
        self.repeated = []

    def decode(self):
        """Reads the parts of the URL. A URL that is not valid UTF-8 or has broken percent codes is refused."""
        self.segments = [decoded(segment) for segment in self.raw_segments]
        for pair in filter(None, self.raw_query.split("&")):
            name, _, value = pair.partition("=")
            name, value = decoded(name.replace("+", " ")), decoded(value.replace("+", " "))
            if name in self.query:
                self.repeated.append(name)
            self.query.setdefault(name, value)

    def json(self):
        try:
            value = json.loads(self.body.decode("utf-8"), parse_constant=refuse_constant)
            json.dumps(value, ensure_ascii=False).encode("utf-8")
            return value
        except (ValueError, RecursionError):
            raise not_readable("the body is not JSON")


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def decoded(text):
    if re.search(r"%(?![0-9a-fA-F]{2})", text):
        raise not_readable("the URL has a broken percent code")
    try:
        return unquote_to_bytes(text.encode("latin-1")).decode("utf-8")
    except UnicodeDecodeError:
        raise not_readable("the URL is not UTF-8")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    timeout = 75
    service: Service

    def respond(self):
        self.rate = {}
        self.is_mcp = self.path.partition("?")[0] == "/mcp"
        try:
            (status, body), headers = self.outcome(), {}
        except Refusal as refusal:
            status, body, headers = refusal.status, self.error(refusal), refusal.headers
        except (ConnectionError, TimeoutError):
            self.close_connection = True
            return
        except Exception:
            traceback.print_exc()
            status, body, headers = 500, {"error": {"code": "internal", "message": "internal error"}}, {}
        self.send(status, body, {**self.rate, **headers})

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = do_HEAD = respond

    def error(self, refusal):
        if refusal.code == "rate_limit_exceeded":
            return stack_mcp.rpc_error(None, -32000, refusal.code) if self.is_mcp else {"error": refusal.code}
        extra = dict(refusal.extra)
        beside = extra.pop("beside", {})
        return {"error": {"code": refusal.code, **extra}, **beside}

    def outcome(self):
        """The status and the body after address, key, body cap, route, operation."""
        choices = self.service.choices
        request = Request(self.command, self.path, self.read_body())
        if self.is_mcp and len(request.body or b"") > stack_mcp.MCP_BODY_MAX:
            request.body = None
        counted = choices["blocked"] == "counted"
        fixed = choices["address_window"] == "fixed"
        self.limit(f"address {self.client_address[0]}", (10, 10 * SECOND, fixed, counted))
        if request.body is None and choices["cap"] == "before-key":
            raise Refusal(413, "payload_too_large", message="the body is too large")
        request.org = self.organization()
        self.limit(f"key {request.org}", (60, MINUTE, False, counted))
        if request.body is None:
            raise Refusal(413, "payload_too_large", message="the body is too large")
        if self.is_mcp:
            return self.mcp(request)
        request.decode()
        operation, names = route(request)
        if choices["unknown_names"] == "rejected":
            issues = Issues()
            for name in [*(request.query.keys() - set(names)), *request.repeated]:
                issues.add(name, "is not known or appears twice")
            issues.check(self.service)
        return 200, operation(self.service, request)

    def limit(self, bucket, counting):
        choices = self.service.choices
        taken = take(self.service.store, bucket, counting)
        shown = choices["rate_headers"]
        if shown == "all" or (shown == "address" and not self.rate):
            self.rate = taken.headers()
        if not taken.blocked:
            return
        refusal = Refusal(429, "rate_limit_exceeded")
        refusal.headers = taken.headers()
        if choices["retry_after"] == "always" or (choices["retry_after"] == "sometimes" and random.random() < 0.6):
            refusal.headers["Retry-After"] = str(max(1, math.ceil((taken.reset - now_us()) / SECOND)))
        raise refusal

    def organization(self):
        match = re.fullmatch(r"bearer +(\S+) *", self.headers.get("Authorization", ""), re.I)
        key = match[1] if match else ""
        if self.service.choices["key_case"] == "value":
            prefix, _, digits = key.rpartition("_")
            key = f"{prefix}_{digits.lower()}"
        row = self.service.store.one("SELECT org FROM keys WHERE key = ? AND revoked = 0", key)
        if row is None:
            raise Refusal(401, "unauthorized", message="API key missing, invalid or revoked")
        return row["org"]

    def mcp(self, request):
        """One message to the MCP endpoint."""
        if request.method != "POST":
            refusal = Refusal(405, "method_not_allowed", message="use POST")
            refusal.headers = {"Allow": "POST"}
            raise refusal

        def call_tool(name, arguments):
            try:
                return self.tool(request, name, arguments), False
            except Refusal as refusal:
                return self.error(refusal), True

        return stack_mcp.respond(request.body, call_tool)

    def tool(self, request, name, arguments):
        issues = Issues()
        for path, message in stack_mcp.problems(name, arguments):
            issues.add(path, message)
        issues.check(self.service)
        request.query = {key: str(value) for key, value in arguments.items()}
        request.path_values = [arguments.get("accountId"), arguments.get("reviewId")]
        request.body = json.dumps(arguments).encode()
        match name:
            case "inbox_list":
                return {"messages": [], "nextCursor": None}
            case "customers_list":
                return {"customers": [], "nextCursor": None}
            case "dialer_import_contacts":
                return stack_mcp.import_contacts(arguments)
        return OPERATIONS_OF_TOOLS[name](self.service, request)["data"]

    def read_body(self):
        """The bytes of the body, or None when there are too many."""
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            return self.read_chunks()
        length = self.headers.get("Content-Length", "0")
        if not re.fullmatch(r"[0-9]{1,15}", length):
            self.close_connection = True
            raise not_readable("Content-Length is not valid")
        size = int(length)
        if size <= BODY_MAX:
            return self.rfile.read(size)
        if size > DRAIN_MAX:
            self.close_connection = True
        for _ in range(min(size, DRAIN_MAX) // 65536):
            self.rfile.read(65536)
        self.rfile.read(min(size, DRAIN_MAX) % 65536)
        return None

    def read_chunks(self):
        parts, total = [], 0
        while True:
            head = self.rfile.readline(1000).split(b";")[0].strip()
            if not re.fullmatch(rb"[0-9a-fA-F]{1,8}", head):
                self.close_connection = True
                raise not_readable("a chunk is not valid")
            size = int(head, 16)
            total += size
            if total > DRAIN_MAX:
                self.close_connection = True
                return None
            part = self.rfile.read(size)
            while size == 0 and self.rfile.readline(65536).strip():
                pass  # Trailers.
            if size == 0:
                return None if total > BODY_MAX else b"".join(parts)
            self.rfile.readline(10)
            if total <= BODY_MAX:
                parts.append(part)

    def send(self, status, body, headers):
        choices = self.service.choices
        form = {"indent": 2} if choices["json"] == "pretty" else {"separators": (",", ":")}
        text = "" if body is None else json.dumps(body, ensure_ascii=choices["json"] == "escaped", **form)
        payload = text.encode()
        is_chunked = choices["transport"] == "chunked" and len(payload) > 200 and self.command != "HEAD"
        if choices["latency"] == "some":
            time.sleep(min(1.5, random.expovariate(8)))
        if choices["transport"] == "closed":
            self.close_connection = True
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        framing = ("Transfer-Encoding", "chunked") if is_chunked else ("Content-Length", str(len(payload)))
        self.send_header(*framing)
        for name, value in headers.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        if is_chunked:
            half = len(payload) // 2
            payload = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (payload[:half], payload[half:], b""))
        self._headers_buffer.append(b"\r\n" + (b"" if self.command == "HEAD" else payload))
        self.flush_headers()

    def send_error(self, code, message=None, explain=None):
        """A request that the HTTP library refuses."""
        self.close_connection = True
        self.send(code, {"error": {"code": "invalid_input", "message": str(message), "issues": [{"path": ""}]}}, {})

    def log_message(self, format, *args):
        pass


def route(request):
    """The operation and its query parameters."""
    if request.segments[:2] != ["api", "v1"]:
        raise not_found("path")
    path, methods = request.segments[2:], []
    for method, pattern, names, operation in ROUTES:
        pairs = list(zip(pattern, path))
        if len(pattern) != len(path) or any(part not in ("*", value) for part, value in pairs):
            continue
        if method == request.method or (method == "GET" and request.method == "HEAD"):
            request.path_values = [value for part, value in pairs if part == "*"]
            return operation, names
        methods.append(method)
    if methods:
        refusal = Refusal(405, "method_not_allowed", message=f"use {' or '.join(methods)}")
        refusal.headers = {"Allow": ", ".join(methods)}
        raise refusal
    raise not_found("path")


# Processes

class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, listener, handler):
        super().__init__(listener.getsockname(), handler, bind_and_activate=False)
        self.socket.close()
        self.socket = listener
        self.parent = os.getppid()

    def service_actions(self):
        if os.getppid() != self.parent:
            os._exit(0)

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)


def work(listener, path, choices):
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    handler = type("BoundHandler", (Handler,), {"service": Service(Store(path), choices)})
    Server(listener, handler).serve_forever()


def listen(port):
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    listener.bind(("127.0.0.1", port))
    listener.listen(128)
    return listener


def chosen(variant, rng):
    if variant == "mixed":
        return {name: rng.choice(values) for name, values in CHOICES.items()}
    return {**{name: values[0] for name, values in CHOICES.items()}, **VARIANTS[variant]}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--ready-file")
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--live", type=float, default=0, help="seconds between two changes of the data")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", choices=[*VARIANTS, "mixed"], default="plain")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    rng = random.Random(options.seed)
    choices = chosen(options.variant, rng)
    folder = Path(tempfile.mkdtemp(prefix="casa-stack-"))
    try:
        run(options, folder / "service.db", (rng, choices))
    except KeyboardInterrupt:
        pass
    finally:
        for child in multiprocessing.active_children():
            child.terminate()
        shutil.rmtree(folder, ignore_errors=True)


def run(options, path, drawn):
    rng, choices = drawn
    store = Store(path)
    store.db.executescript(SCHEMA)
    writer = Writer(store, rng, choices)
    keys = {name: writer.key() for name in ("good", "second", "revoked")}
    with store.transaction():
        for name, org in (("good", "one"), ("second", "two"), ("revoked", "one")):
            store.insert("keys", {"key": keys[name], "org": org, "revoked": int(name == "revoked")})
        account = writer.fill("one", 60)
        writer.fill("two", 30)
    store.db.close()
    del store.local.db
    listeners = [listen(options.port)]
    port = listeners[0].getsockname()[1]
    listeners += [listen(port) for _ in range(options.workers - 1)]
    for listener in listeners:
        multiprocessing.Process(target=work, args=(listener, path, choices), daemon=True).start()
    for listener in listeners:
        listener.close()
    origin = f"http://127.0.0.1:{port}"
    address = account["id"].upper() if choices["ids"] == "upper" else account["id"]
    ready = {"baseUrl": f"{origin}/api/v1", "mcpUrl": f"{origin}/mcp", "keys": keys, "account": address}
    if options.ready_file:
        Path(options.ready_file + ".part").write_text(json.dumps({**ready, "choices": choices}))
        os.rename(options.ready_file + ".part", options.ready_file)
    else:
        print(json.dumps({**ready, "choices": choices}), flush=True)
    while True:
        time.sleep(options.live or 3600)
        if options.live:
            writer.change(rng.choice(("one", "one", "two")))


if __name__ == "__main__":
    main()

"""The data of stack.py: the database, what it holds at the start, and changes while the service runs."""
import sqlite3
import threading
import time
import uuid
from contextlib import contextmanager

SECOND = 1_000_000  # All instants are whole microseconds since the epoch.
MINUTE, HOUR, DAY = 60 * SECOND, 3600 * SECOND, 86400 * SECOND
SETTLES = 5 * MINUTE

PROVIDERS = (
    "google_business", "facebook_page", "tiktok", "instagram", "google_analytics", "google_search_console",
    "google_ads", "google_calendar", "google_contacts",
)
ARTICLE_LIFE = ("planned", "generating", "draft", "scheduled", "published")

SCHEMA = """
CREATE TABLE keys (key TEXT PRIMARY KEY, org TEXT, revoked INTEGER);
CREATE TABLE sites (id TEXT PRIMARY KEY, org TEXT, name TEXT, domain TEXT, cms TEXT, language TEXT, created INTEGER);
CREATE TABLE articles (id TEXT PRIMARY KEY, org TEXT, site TEXT, title TEXT, slug TEXT, status TEXT, keyword TEXT,
  words INTEGER, score INTEGER, published INTEGER, created INTEGER, updated INTEGER, UNIQUE (org, created));
CREATE TABLE keywords (id TEXT PRIMARY KEY, org TEXT, site TEXT, keyword TEXT, volume INTEGER, difficulty INTEGER,
  intent TEXT, created INTEGER);
CREATE TABLE accounts (id TEXT PRIMARY KEY, org TEXT, provider TEXT, label TEXT, name TEXT, status TEXT,
  locked INTEGER, connected INTEGER, position INTEGER);
CREATE TABLE invites (id TEXT PRIMARY KEY, org TEXT, provider TEXT, label TEXT, room INTEGER, expires INTEGER,
  live INTEGER);
CREATE TABLE posts (id TEXT PRIMARY KEY, account TEXT, body TEXT, at INTEGER);
CREATE TABLE reviews (id TEXT PRIMARY KEY, account TEXT, author TEXT, rating INTEGER, text TEXT, at INTEGER,
  reply TEXT, replied INTEGER);
CREATE TABLE calls (id TEXT PRIMARY KEY, org TEXT, number TEXT, direction TEXT, outcome TEXT, started INTEGER,
  ended INTEGER, delivered INTEGER DEFAULT 0, UNIQUE (org, ended));
CREATE TABLE hits (bucket TEXT, at INTEGER);
CREATE INDEX hits_of_bucket ON hits (bucket, at);
"""


def now_us():
    return time.time_ns() // 1000


class Store:
    """One SQLite file, one connection for each thread."""

    def __init__(self, path):
        self.path = str(path)
        self.local = threading.local()

    @property
    def db(self):
        if not hasattr(self.local, "db"):
            self.local.db = sqlite3.connect(self.path, timeout=15, isolation_level=None)
            self.local.db.row_factory = sqlite3.Row
            self.local.db.execute("PRAGMA journal_mode = WAL")
            self.local.db.execute("PRAGMA synchronous = OFF")
        return self.local.db

    @contextmanager
    def transaction(self, kind="IMMEDIATE"):
        self.db.execute(f"BEGIN {kind}")
        try:
            yield self.db
        except BaseException:
            self.db.execute("ROLLBACK")
            raise
        self.db.execute("COMMIT")

    def all(self, sql, *values):
        return self.db.execute(sql, values).fetchall()

    def one(self, sql, *values):
        return self.db.execute(sql, values).fetchone()

    def insert(self, table, row):
        marks = ", ".join("?" for _ in row)
        self.db.execute(f"INSERT INTO {table} ({', '.join(row)}) VALUES ({marks})", tuple(row.values()))


WORDS = "garden river copper morning stone harbor winter paper silver orchard market bridge meadow north".split()
KINDS = (
    *("write", "edit") * 3, *("review", "call", "hang up", "invite", "connect") * 2, "answer", "remove", "expire",
)


class Writer:
    """Fills the database, and changes it while the service runs."""

    def __init__(self, store, rng, choices):
        self.store = store
        self.rng = rng
        self.grain = SECOND if choices["times"] == "seconds" else 1000

    def phrase(self, count=3):
        return " ".join(self.rng.choice(WORDS) for _ in range(count))

    def new_id(self):
        return str(uuid.UUID(int=self.rng.getrandbits(128), version=4))

    def key(self):
        return f"csk_{self.rng.getrandbits(128):032x}"

    def maybe(self, value):
        return None if self.rng.random() < 0.2 else value

    def insert(self, table, row):
        self.store.insert(table, row)
        return row

    def site(self, org):
        name = self.phrase(2)
        return self.insert("sites", {
            "id": self.new_id(), "org": org, "name": name.title(), "domain": f"{name.replace(' ', '-')}.example",
            "cms": self.rng.choice(("wordpress", "webflow", "ghost")), "language": self.rng.choice(("en", "de", "fr")),
            "created": now_us() - self.rng.randrange(200 * DAY, 300 * DAY),
        })

    def article(self, org, site, created):
        title, status = self.phrase(5), self.rng.choice((*ARTICLE_LIFE, "failed"))
        created -= created % self.grain
        while self.store.one("SELECT 1 FROM articles WHERE org = ? AND created = ?", org, created):
            created += self.grain
        published = min(created + HOUR, now_us()) if status == "published" else None
        return self.insert("articles", {
            "id": self.new_id(), "org": org, "site": site,
            "title": title.capitalize(), "slug": title.replace(" ", "-"),
            "status": status, "keyword": self.maybe(self.phrase(2)), "words": self.rng.randrange(3000),
            "score": self.maybe(self.rng.randrange(101)), "published": published, "created": created,
            "updated": max(created, published or 0),
        })

    def account(self, org, provider, status="connected"):
        position = self.store.one("SELECT count(*) AS n FROM accounts")["n"]
        connected = None if status == "pending" else now_us() - self.rng.randrange(90 * DAY)
        return self.insert("accounts", {
            "id": self.new_id(), "org": org, "provider": provider, "label": self.phrase(2).title(),
            "name": self.maybe(self.phrase(2)), "status": status, "locked": 0, "connected": connected,
            "position": position,
        })

    def invite(self, org):
        return self.insert("invites", {
            "id": self.new_id(), "org": org, "provider": self.rng.choice(PROVIDERS), "label": self.phrase(2),
            "room": 1, "expires": now_us() + 7 * DAY, "live": 1,
        })

    def review(self, account, at):
        reply = self.phrase(6) if self.rng.random() < 0.3 else None
        ident = f"{self.rng.getrandbits(64):x}"
        return self.insert("reviews", {
            "id": self.rng.choice((ident, f"r/{ident}", f"{ident}%20 b", f"ré {ident}")), "account": account,
            "author": self.phrase(2).title(), "rating": self.maybe(self.rng.randrange(1, 6)),
            "text": self.rng.choice(("", self.phrase(12))), "at": at, "reply": reply,
            "replied": None if reply is None else min(at + HOUR, now_us()),
        })

    def call(self, org, started, ended):
        return self.insert("calls", {
            "id": f"call-{self.rng.getrandbits(64):x}", "org": org, "number": f"+4930{self.rng.randrange(10**7):07d}",
            "direction": self.rng.choice(("inbound", "outbound")),
            "outcome": self.rng.choice(("answered", "voicemail", "missed")), "started": started, "ended": ended,
        })

    def fill(self, org, size):
        now = now_us()
        for _ in range(3):
            site = self.site(org)
            for _ in range(size // 3):
                self.article(org, site["id"], now - self.rng.randrange(MINUTE, 150 * DAY))
            for _ in range(size // 5):
                self.insert("keywords", {
                    "id": self.new_id(), "org": org, "site": site["id"], "keyword": self.phrase(2),
                    "volume": self.maybe(self.rng.randrange(9000)), "difficulty": self.maybe(self.rng.randrange(101)),
                    "intent": self.maybe("commercial"), "created": now - self.rng.randrange(100 * DAY),
                })
        first = self.account(org, "google_business")
        for provider in ("facebook_page", "google_calendar", "instagram"):
            self.account(org, provider)
        unusable = (("tiktok", "pending_api_access"), ("google_ads", "revoked"), ("facebook_page", "expired"))
        for provider, status in unusable:
            self.account(org, provider, status)
        for _ in range(size // 2):
            self.review(first["id"], now - self.rng.randrange(MINUTE, 300 * DAY))
        for _ in range(3):
            self.invite(org)
        for _ in range(size):
            ended = now - self.rng.randrange(6 * MINUTE, 3 * DAY)
            self.call(org, ended - self.rng.randrange(10 * SECOND, 9 * MINUTE), ended)
        for age in (30, 100, 200):
            self.call(org, now - (age + 90) * SECOND, now - age * SECOND)
            self.call(org, now - age * SECOND, None)
        return first

    # Live changes, one at a time

    def change(self, org):
        with self.store.transaction() as db:
            kind = self.rng.choice(KINDS)
            now = now_us()
            if kind == "write":
                site = self.rng.choice(self.store.all("SELECT id FROM sites WHERE org = ?", org))
                self.article(org, site["id"], now)
            elif kind == "edit":
                self.edit(self.rng.choice(self.store.all("SELECT * FROM articles WHERE org = ?", org)), now)
            elif kind == "review":
                sql = "SELECT id FROM accounts WHERE org = ? AND provider = 'google_business' ORDER BY position"
                self.review(self.store.one(sql, org)["id"], now)
            elif kind == "answer":
                db.execute(
                    "UPDATE reviews SET reply = ?, replied = ? WHERE id = (SELECT reviews.id FROM reviews JOIN accounts"
                    " ON accounts.id = account WHERE org = ? AND reply IS NULL ORDER BY random() LIMIT 1)",
                    (self.phrase(6), now, org),
                )
            elif kind == "remove":
                row = self.rng.choice(self.store.all("SELECT id FROM articles WHERE org = ?", org))
                db.execute("DELETE FROM articles WHERE id = ?", (row["id"],))
            elif kind == "expire":
                db.execute(
                    "UPDATE accounts SET status = iif(status = 'expired', 'connected', 'expired')"
                    " WHERE org = ? AND provider = 'instagram'", (org,),
                )
            elif kind == "call":
                self.call(org, now, None)
            elif kind == "hang up":
                db.execute(
                    "UPDATE calls SET ended = ? WHERE id = (SELECT id FROM calls WHERE org = ? AND ended IS NULL"
                    " ORDER BY started LIMIT 1)", (now, org),
                )
            elif kind == "invite":
                self.invite(org)
            elif kind == "connect":
                row = self.store.one("SELECT * FROM invites WHERE org = ? AND live = 1 ORDER BY expires", org)
                if row:
                    account = self.account(org, row["provider"])
                    db.execute("UPDATE accounts SET connected = ? WHERE id = ?", (now, account["id"]))
                    db.execute("DELETE FROM invites WHERE id = ?", (row["id"],))

    def edit(self, row, now):
        status = row["status"]
        if status in ARTICLE_LIFE[:-1]:
            status = ARTICLE_LIFE[ARTICLE_LIFE.index(status) + 1]
        published = now if status == "published" and row["published"] is None else row["published"]
        self.store.db.execute(
            "UPDATE articles SET status = ?, published = ?, words = ?, score = ?, updated = ? WHERE id = ?",
            (status, published, self.rng.randrange(3000), self.rng.randrange(101), now, row["id"]),
        )

// Memories of what clients sent are bounded in bytes, whatever they send: the oldest records are dropped, and counted
// here. All of them together stay below 64 MiB: the journal has 12, the histories in snapshots 12, the memory of
// verdicts 12, the windows of addresses 4, bodies that are still coming in and answers that are not read 12, and open
// connections 12. What clients created (posts, replies, contacts) is not such a memory: it was acknowledged, and it
// stays.

/** What `GET /__admin/health` shows, so that an empty search of the journal is not taken for proof. */
export interface Forgotten {
  /** Requests of the journal. */
  readonly requests: number;
  /** Windows of addresses that were not over. */
  readonly addresses: number;
  /** Clients, or requests of theirs, that verdicts would go by. */
  readonly clients: number;
  /** Connect links. */
  readonly links: number;
  /** Connections: there were too many, or too many half-sent bodies or unread answers. */
  readonly connections: number;
}

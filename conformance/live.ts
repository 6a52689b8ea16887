// Exchanges on request: `casa mock --upstream` forwards them to a deployment. Each is sent once, unchanged, without
// pacing or repetition. The rules check it, and checks that read a history judge it together with those before it.
import type { Profile } from '../src/contract/profile.ts';
import { readVersion } from '../src/terminal/version.ts';
import { observe, profileFrom } from './behaviors/observe.ts';
import { checks } from './checks/index.ts';
import { rules } from './checks/rules/index.ts';
import { bodyReader, toExchange } from './driver/pace/client.ts';
import { openWire } from './driver/wire/http.ts';
import type { Exchange, KeyName } from './exchange/exchange.ts';
import { makeHistory, redactDeep } from './exchange/history.ts';
import { keyPrefixOf } from './exchange/look.ts';
import { dataName } from './exchange/personal.ts';
import { matchOperation } from './exchange/request.ts';
import { judgeAll, judgeRules } from './judge/judge.ts';
import type { CheckResult, Finding } from './judge/result.ts';
import {
  makeFinder,
  makeKeyRedact,
  makeRedact,
  type Redact,
  redactResult,
  redactStates,
  type Secret,
} from './report/redact.ts';
import { contractVersion, store } from './report/report.ts';
import { entryOf } from './reporters/har.ts';

export interface LiveOptions {
  /** Includes the version segment. */
  readonly baseUrl: string;
  /** For a whole exchange. */
  readonly timeoutMs: number;
  /** Taken out of findings and of the record; a response that holds one is a finding. */
  readonly secrets: readonly Secret[];
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are read. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Keeps exchanges in memory for `profile`. */
  readonly learns?: boolean;
}

/** A request as sent; host, length and accept-encoding are added. */
export interface LiveRequest {
  readonly method: string;
  /** Below the base URL, with the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Cancels the request. */
  readonly signal?: AbortSignal;
}

export interface LiveFinding extends Pick<Finding, 'severity' | 'clause' | 'pointer' | 'expected' | 'actual'> {
  readonly rule: string;
}

export interface LiveResponse {
  readonly exchange: Exchange;
  /** Byte for byte, unpacked where the deployment packed it against our wish. */
  readonly body: Uint8Array;
  /** Why there is no whole response, with the words of the socket; null when there is one. */
  readonly failure: Pick<Exchange, 'problem' | 'problemDetail'> | null;
  /** Violations of the contract, most severe first. */
  readonly findings: readonly LiveFinding[];
  /** The exchange as an entry of a HAR, without secrets. */
  harEntry(): object;
}

/** A deployment that always responds within its time limit. */
export interface Live {
  send(request: LiveRequest): Promise<LiveResponse>;
  /** Returns what the exchanges so far show, as `calibrate` writes it: formats, and no value of a customer. */
  profile(): Profile;
  /** Takes the secrets and personal data out of a text. */
  readonly redact: Redact;
  /** Takes the secrets alone out of a text that the client must receive unchanged. */
  readonly redactKeys: Redact;
  close(): void;
}

/** A profile is learnt from the first exchanges of a start. */
const learntMax = { exchanges: 5_000, bytes: 50_000_000 };

export function openLive({ baseUrl, timeoutMs, secrets, env, now, learns = false }: LiveOptions): Live {
  const { origin, pathname } = new URL(baseUrl);
  const basePath = pathname.replace(/\/+$/, '');
  // The record is not held in memory, so no response must be small because others were large.
  const open = () => openWire({ timeoutMs, env, runBytesMax: Number.POSITIVE_INFINITY });
  const redact = makeRedact(secrets);
  const redactKeys = makeKeyRedact(secrets);
  const findSecrets = makeFinder(secrets);
  const judgeNext = makeJudge();
  let wire = open();
  let [sent, underWay] = [0, 0];
  const { shown, violations, learn } = makeLearner(secrets, learns);
  /** A change of the network changes addresses of hosts and closes connections. */
  const renewWhenIdle = () => {
    if (underWay > 0) return;
    wire.close();
    wire = open();
  };
  return {
    async send({ method, target, headers, body, signal }) {
      sent += 1;
      underWay += 1;
      const id = `x${sent}`;
      const sentAt = now();
      const path = `${basePath}${target}`;
      const response = await wire.send({ method, origin, path, headers, body, signal, address: null });
      underWay -= 1;
      if (response.status === 0) renewWhenIdle();
      const operation = matchOperation(method, target);
      const key = nameOfKey(secrets, headers.authorization ?? '');
      const request = { method, target, headers, body, operation, ...asGiven, key };
      const stamp = { id, url: `${origin}${path}`, sentAt, receivedAt: now(), ...asOnce };
      const exchange = toExchange(request, response, { ...stamp, read: bodyReader() });
      // A 304 only confirms the client's cached response, and is not part of the contract.
      const isOfContract = exchange.status !== 304;
      const judged = isOfContract ? [...judgeRules(rules, [exchange], { findSecrets }), ...judgeNext(exchange)] : [];
      const results = judged.map((result) => redactResult(result, redact));
      learn(exchange, results);
      return {
        exchange,
        // A copy: a part of a larger buffer would keep all of it in memory.
        body: new Uint8Array(response.body),
        failure: response.problem === 'none' ? null : { problem: response.problem, problemDetail: response.detail },
        // Notes are about what the contract leaves open.
        findings: results.flatMap(({ id, findings }) =>
          findings.filter(({ severity }) => severity !== 'note').map((each) => toFinding(id, each)),
        ),
        harEntry: () => redactDeep(entryOf(store(exchange, true)), redactKeys) as object,
      };
    },
    profile() {
      const keyPrefix = keyPrefixOf(secrets[0]?.value ?? '');
      const results = [...violations.values()];
      const head = { kit: readVersion(), contract: contractVersion, target: baseUrl };
      const states = redactStates(observe({ exchanges: shown, results, keyPrefix }), redact);
      return profileFrom(states, results, { ...head, startedAt: new Date(now()).toISOString(), exchanges: shown });
    },
    redact,
    redactKeys,
    close: () => wire.close(),
  };
}

/** The keys of the deployment in their order; a third one is not compared. */
function nameOfKey(secrets: readonly Secret[], authorization: string): KeyName {
  const at = secrets.findIndex(({ value }) => authorization.endsWith(` ${value}`));
  return (['good', 'second'] as const)[Math.max(0, at)] ?? 'wrong';
}

function makeLearner(secrets: readonly Secret[], learns: boolean) {
  const withoutKeys = keyRemover(secrets);
  const shown: Exchange[] = [];
  const violations = new Map<string, CheckResult>();
  let learntBytes = 0;
  const learn = (exchange: Exchange, results: readonly CheckResult[]) => {
    learntBytes += exchange.bodyText.length;
    if (!learns || shown.length >= learntMax.exchanges || learntBytes > learntMax.bytes) return;
    shown.push(withoutKeys(exchange));
    for (const result of results)
      for (const finding of result.findings)
        violations.set(`${result.id} ${finding.clause} ${finding.severity}`, { ...result, findings: [finding] });
  };
  return { shown, violations, learn };
}

/** Checks compare an exchange with so many before it. */
const judgedMax = { exchanges: 200, bytes: 20_000_000, findings: 10_000 };

/** Judges the last exchanges. Each finding is returned once, with the exchange that completes it. */
function makeJudge(): (exchange: Exchange) => CheckResult[] {
  const last: Exchange[] = [];
  const known = new Set<string>();
  const sizeOf = () => last.reduce((bytes, { bodyText }) => bytes + bodyText.length, 0);
  const isNew = (name: string) => known.size < judgedMax.findings && known.size < known.add(name).size;
  return (exchange) => {
    last.push(exchange);
    while (last.length > judgedMax.exchanges || sizeOf() > judgedMax.bytes) last.shift();
    return judgeAll(checks, makeHistory(last, { isRecorded: true })).map(({ findings, ...result }) => ({
      ...result,
      findings: findings.filter((one) => isNew(`${result.id} ${one.clause} ${one.pointer} ${one.exchange}`)),
    }));
  };
}

/** A profile learns a key neither as a name nor as a value. */
function keyRemover(secrets: readonly Secret[]): (exchange: Exchange) => Exchange {
  const redact = makeKeyRedact(secrets.map(({ value }) => ({ value, placeholder: dataName })));
  return ({ target, headers, bodyText, json, ...rest }) => ({
    ...rest,
    ...(redactDeep({ target, headers, bodyText, json }, redact) as Exchange),
  });
}

const asGiven = { address: null, repeatable: false, isHarmless: false } as const;
const asOnce = { repeatOf: null, burst: false } as const;

function toFinding(rule: string, { severity, clause, pointer, expected, actual }: Finding): LiveFinding {
  return { rule, severity, clause, pointer, expected, actual };
}

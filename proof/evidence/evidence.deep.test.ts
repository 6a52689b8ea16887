import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { clauses } from '../../src/contract/generated/clauses.ts';
import { criteria } from './criteria.ts';
import { type Evidence, gatherEvidence, traceClauses } from './evidence.ts';
import { keepProof, type ProofName, type Results, readProof } from './proofs.ts';
import { sampleResults } from './sample.ts';
import { siteOf } from './site.ts';

const source = { prefix: '../../', hasLines: false };
let [nothing, something]: Evidence[] = [];

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'casa-evidence-'));
}

function keepAll(into: string, isWhole = true): void {
  for (const [name, result] of Object.entries(sampleResults()) as [ProofName, Results[ProofName]][])
    keepProof(name, result, { isWhole, folder: into });
}

beforeAll(async () => {
  const [empty, full] = [folder(), folder()];
  keepAll(full);
  const test = {
    name: `${process.cwd()}/proof/audits/silence.deep.test.ts`,
    assertionResults: [
      { fullName: 'the kit raises no alarm on the mock', status: 'passed' },
      { fullName: 'the kit raises no alarm on <b>another</b>', status: 'failed' },
      { fullName: 'the kit raises no alarm on a third', status: 'pending' },
    ],
  };
  const run = { startTime: 0, numPassedTests: 1, numFailedTests: 1, numPendingTests: 1, testResults: [test] };
  writeFileSync(join(full, 'test-deep.json'), JSON.stringify(run));
  const traced = await traceClauses();
  nothing = gatherEvidence({ proofs: empty, tests: empty }, traced);
  something = gatherEvidence({ proofs: full, tests: full }, traced);
}, 60_000);

const pagesOf = (evidence: Evidence | undefined) => siteOf({ evidence: evidence as Evidence, source });
const textOf = (page = '') =>
  page
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/<script>.*?<\/script>/gs, '')
    .replace(/<[^>]*>/g, ' ');

describe('the evidence site', () => {
  test('has the contract as its denominator, whatever was run', () => {
    for (const evidence of [nothing, something]) {
      expect(evidence?.clauses.map(({ id }) => id)).toEqual(Object.keys(clauses));
      expect(
        pagesOf(evidence)
          .get('clauses.html')
          ?.match(/<details class="clause"/g),
      ).toHaveLength(Object.keys(clauses).length);
    }
  });

  test('shows what was not run as not run, and meets no criterion by it', () => {
    const page = pagesOf(nothing).get('index.html') ?? '';
    for (const part of ['kill', 'silence', 'identify', 'oracles', 'mcp', 'runtimes', 'bench'])
      expect(new RegExp(`<section id="${part}">.*?</section>`, 's').exec(page)?.[0]).toContain('Not run.');
    const states = criteria.map(({ id, judge }) => [id, judge(nothing as Evidence).state]);
    expect(states.filter(([, state]) => state === 'met').map(([id]) => id)).toEqual(['E1', 'E2']);
    expect(pagesOf(nothing).has('kill.html')).toBe(false);
    expect(JSON.parse(pagesOf(nothing).get('kill.json') ?? '')).toMatchObject({
      at: null,
      result: null,
      command: 'npm run mutants',
    });
  });

  test('adds nothing up to a percentage', () => {
    for (const name of ['index.html', 'clauses.html', 'identify.html'])
      expect(textOf(pagesOf(something).get(name))).not.toMatch(/\d\s?%/);
  });

  test('counts mutants that were not judged, and does not call a part the whole', () => {
    const e3 = criteria.find(({ id }) => id === 'E3')?.judge(something as Evidence);
    expect(e3).toMatchObject({
      state: 'not met',
      detail: expect.stringMatching(/^1 without, of 3 judged; there are \d{3,}$/),
    });
    expect(textOf(pagesOf(something).get('index.html'))).toMatch(/3 of \d{3,}\s+mutants judged/);
  });

  test('counts an alarm, and leaves out a run that was skipped', () => {
    const e4 = criteria.find(({ id }) => id === 'E4')?.judge(something as Evidence);
    expect(e4).toEqual({ state: 'not met', detail: '1 of 3 runs raised one' });
    expect(pagesOf(something).get('index.html')).toContain('on &lt;b&gt;another&lt;/b&gt;');
  });

  test('leads from each link to a place that is there', () => {
    const site = pagesOf(something);
    for (const name of ['index.html', 'clauses.html', 'identify.html']) {
      const page = site.get(name) ?? '';
      const links = [...new Set([...page.matchAll(/href="([^"]+)"/g)].map((match) => match[1] ?? ''))];
      expect(links.length).toBeGreaterThan(3);
      const broken = links.filter((link) => {
        const [file = '', mark] = link.split('#');
        if (file.startsWith('../../')) return !existsSync(file.slice(6));
        return !site.has(file) || (mark !== undefined && !site.get(file)?.includes(`id="${mark}"`));
      });
      expect(broken).toEqual([]);
    }
  });

  test('leads a clause to behaviour, check, mutant and test, with lines on a forge', () => {
    const page =
      siteOf({ evidence: something as Evidence, source: { prefix: 'https://forge/blob/abc/', hasLines: true } }).get(
        'clauses.html',
      ) ?? '';
    const clause = /<details class="clause" id="8.post-text">.*?<\/details>/s.exec(page)?.[0] ?? '';
    expect(clause).toMatch(/href="https:\/\/forge\/blob\/abc\/src\/http\/routes\/posts.ts#L\d+"/);
    for (const part of ['Behaviour', 'Checks', 'posts/text-edges', 'Mutants', 'post-text-5001-accepted', 'Tests'])
      expect(clause).toContain(part);
  });

  test('lists a feed for each part, and each is JSON', () => {
    const site = pagesOf(something);
    const { feeds, criteriaVersion } = JSON.parse(site.get('feeds.json') ?? '');
    expect(criteriaVersion).toBeGreaterThan(0);
    expect(feeds.map(({ name }: { name: string }) => name).sort()).toEqual(
      [...site.keys()].filter((name) => name.endsWith('.json') && name !== 'feeds.json').sort(),
    );
    for (const { name, command } of feeds) {
      expect(() => JSON.parse(site.get(name) ?? '')).not.toThrow();
      const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
      expect(scripts).toHaveProperty([/npm (?:run )?([\w:]+)/.exec(command)?.[1] ?? '']);
    }
  });
});

describe('a result that is kept', () => {
  test('as a part does not take the place of the whole', () => {
    const into = folder();
    const [mcp] = [sampleResults().mcp];
    keepProof('mcp', mcp, { isWhole: false, folder: into });
    expect(readProof(into, 'mcp')?.isWhole).toBe(false);
    keepProof('mcp', mcp, { isWhole: true, folder: into });
    keepProof('mcp', [], { isWhole: false, folder: into });
    expect(readProof(into, 'mcp')?.result).toEqual(mcp);
  });

  test.each([
    ['no JSON', 'is not JSON'],
    ['null', 'is not of bench'],
    ['{"proof":"kill"}', 'is not of bench'],
    ['{"proof":"bench","result":{}}', 'is of another version of casa-kit'],
  ])('as %j is refused in a sentence', (text, said) => {
    const into = folder();
    writeFileSync(join(into, 'bench.json'), text);
    expect(() => readProof(into, 'bench')).toThrow(new RegExp(`${said}: run npm run bench again`));
  });
});

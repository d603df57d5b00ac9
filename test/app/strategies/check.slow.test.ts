import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkStrategy, speedOf } from '../../../src/app/strategies/check/check.ts';
import type { CheckFinding } from '../../../src/app/strategies/check/finding.ts';
import { checkTypes } from '../../../src/app/strategies/check/types.ts';
import { SCENARIOS } from '../../../src/app/strategies/scenarios.ts';
import { temporaryFolder } from '../../support/exchange.ts';
import { PROJECT_ROOT } from '../../support/process.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const scenarios = SCENARIOS.filter(({ name }) => name === 'goal');

async function findings(specifier: string, options = {}): Promise<readonly CheckFinding[]> {
  const found: CheckFinding[] = [];
  for await (const finding of checkStrategy(specifier, { scenarios, ...options })) found.push(finding);
  return found;
}

/** The faults of a strategy, whose parts follow those of a good one. */
async function faultsOf(name: string, text: string): Promise<readonly CheckFinding[]> {
  const head = `export default ({ defineStrategy, rxjs, z }) => defineStrategy({ name: '${name}', description: 'd',`;
  const parts = text.includes('parameters:') ? text : `parameters: z.strictObject({}), ${text}`;
  const file = folder.file(`${name}.mjs`, `${head}\n${parts}\n});`);
  return (await findings(file)).filter(({ state }) => state === 'fault');
}

/** One quote on the first selection, with this stake. */
const quoting = (stake: string): string =>
  `[{ selectionId: view.selections[0].selectionId, direction: 'against', tick: 20, level: 0, stakeMicros: ${stake} }]`;

describe('the check of a strategy', () => {
  it('finds no fault in a good one, part by part', async () => {
    const found = await findings('symmetric');
    expect(found.filter(({ check, state }) => state !== 'ok' && check !== 'speed')).toEqual([]);
    expect(found.map(({ check }) => check)).toEqual([
      'contract',
      'types',
      'parameters',
      'answers',
      'quotes',
      'time',
      'determinism',
      'restart',
      'speed',
    ]);
  });

  it('stops at a file that is no strategy', async () => {
    const file = folder.file('none.mjs', 'const a = 1;\nexport default { a };');
    expect(await findings(file)).toMatchObject([
      { check: 'contract', state: 'fault', where: expect.stringMatching(/none\.mjs:2$/) as string },
    ]);
  });

  it('warns of a strategy that quotes nothing, which is no fault', async () => {
    const head = 'export default ({ defineStrategy, z }) => defineStrategy({ name: "n", description: "d",';
    const text = (quote: string) => `${head} parameters: z.strictObject({}), quote: ${quote} });`;
    const quotesIn = async (name: string, quote: string) =>
      (await findings(folder.file(name, text(quote)))).filter(({ check }) => check === 'quotes');
    expect(await quotesIn('silent.mjs', '() => []')).toMatchObject([
      {
        state: 'warning',
        found: 'it quoted nothing in 600 views of 1 scenarios',
        advice: expect.any(String) as string,
      },
    ]);
    expect(
      await quotesIn('speaking.mjs', `(view) => view.nowMs % 2000 < 1000 ? [] : ${quoting('1e6')}`),
    ).toMatchObject([{ state: 'ok', found: 'it quotes in 300 of 600 views', advice: null }]);
  });

  it.each<[name: string, text: string, check: string, found: RegExp, line: number | null]>([
    [
      'mandatory',
      'parameters: z.strictObject({ edge: z.number() }), quote: () => []',
      ...(['parameters', /edge = nothing/, null] as const),
    ],
    [
      'loose',
      'parameters: z.object({}), quote: () => []',
      'parameters',
      /misspelt parameter has no effect/,
      null,
    ],
    [
      'throwing',
      `quote(view) {\n if (view.score[0] === 1) throw new Error('a goal');\n return []; }`,
      ...(['answers', /threw: a goal .*\(scenario goal, first at second 300, 300 times\)/, 3] as const),
    ],
    [
      'invalid',
      `quote: (view) => ${quoting('-1')}`,
      'answers',
      /invalid-intent: against at .*: stake -1 is not .*\(rule stake\)/,
      null,
    ],
    [
      'spinning',
      'quotes: (view$, { time }) => rxjs.merge(view$.pipe(rxjs.map(() => [])), time.timer(0).pipe(rxjs.repeat(), rxjs.map(() => [])))',
      ...(['answers', /too-many-emissions: its timers run too often/, null] as const),
    ],
    ['hrtime', 'quote() {\n process.hrtime.bigint();\n return []; }', 'time', /process.hrtime.bigint\(\)/, 3],
    ['ending', 'quotes: () => rxjs.of([])', 'answers', /completed: its stream/, null],
    ['changing', 'quote(view) {\n view.nowMs = 1;\n return []; }', 'view', /frozen: Cannot assign/, 3],
    ['clock', 'quote() {\n Date.now();\n return []; }', 'time', /it uses Date.now\(\)/, 3],
    ['newdate', 'quote() {\n new Date();\n return []; }', 'time', /it uses new Date\(\)/, 3],
    ['fetching', `quote() {\n fetch('http://127.0.0.1:9');\n return []; }`, 'time', /it uses fetch\(\)/, 3],
    [
      'escaping',
      'quotes: (view$) =>\n rxjs.merge(view$.pipe(rxjs.map(() => [])),\n rxjs.interval(1000).pipe(rxjs.map(() => []))),',
      ...(['time', /it uses setInterval\(\)/, null] as const),
    ],
    [
      'promising',
      'quotes: (view$) => view$.pipe(rxjs.mergeMap(async () => []))',
      ...(['time', /emits outside the daemon’s time/, null] as const),
    ],
    [
      'forgetting',
      `quotes: (view$) => view$.pipe(rxjs.scan((n) => n + 1, 0), rxjs.withLatestFrom(view$), rxjs.map(([n, view]) => ${quoting('1e6 + n')}))`,
      ...(['restart', /differently after a stop and a start, from view 301 on/, null] as const),
    ],
  ])('finds the fault of one that is %s', async (name, text, check, found, line) => {
    const faults = await faultsOf(name, text);
    expect(faults).toMatchObject([
      { check, found: expect.stringMatching(found) as string, advice: expect.any(String) as string },
    ]);
    if (line !== null) expect(faults[0]?.where).toMatch(new RegExp(`${name}.mjs:${line}$`));
  });

  it('finds that a strategy draws from a randomness of its own, and where', async () => {
    const faults = await faultsOf(
      'random',
      `quote(view) {\n return ${quoting('1 + Math.floor(Math.random() * 1e9)')}; }`,
    );
    expect(faults.map(({ check }) => check)).toEqual(['time', 'determinism']);
    expect(faults[0]).toMatchObject({ found: 'it uses Math.random()', advice: 'draw from context.random' });
    expect(faults[0]?.where).toMatch(/random.mjs:3$/);
  });

  it('finds a state that lives in the module', async () => {
    const file = folder.file(
      'counting.mjs',
      `let calls = 0; export default ({ defineStrategy, z }) => defineStrategy({ name: 'counting', description: 'd',
        parameters: z.strictObject({}), quote: (view) => ${quoting('1e6 + calls++')} });`,
    );
    expect((await findings(file)).filter(({ state }) => state === 'fault')).toMatchObject([
      { check: 'determinism', found: expect.stringContaining('from second 0 on') as string },
    ]);
  });

  it('finds a clock that is read while the file is loaded', async () => {
    const file = folder.file(
      'loading.mjs',
      `const born = Date.now(); export default ({ defineStrategy, z }) => defineStrategy({ name: 'loading',
        description: 'd', parameters: z.strictObject({}), quote: () => [] });`,
    );
    const found = (await findings(file)).filter(({ state }) => state === 'fault');
    expect(found).toMatchObject([{ check: 'time', found: 'it uses Date.now()' }]);
  });

  it('finds no fault in a stream that waits on the daemon’s time and keeps its state', async () => {
    const faults = await faultsOf(
      'waiting',
      `quotes: (view$, { keep, time }) => rxjs.combineLatest([
        view$.pipe(keep('views', (n) => n + 1, 0)), time.timer(0, 5000)]).pipe(
        rxjs.withLatestFrom(view$), rxjs.map(([[n], view]) => ${quoting('1e6 + n')})),`,
    );
    expect(faults).toEqual([]);
  });

  it('leaves real time as it was', async () => {
    const { setTimeout: before, Date: date, fetch: network } = globalThis;
    const [random, now] = [Math.random, Date.now];
    await faultsOf('still', 'quote: () => []');
    expect([globalThis.setTimeout, globalThis.Date, globalThis.fetch]).toEqual([before, date, network]);
    expect([Math.random, Date.now]).toEqual([random, now]);
  });
});

describe('the check of speed', () => {
  const calls = (slow: number): number[] => [
    ...Array<number>(1000 - slow).fill(1),
    ...Array<number>(slow).fill(80),
  ];

  it('forgives a slow call in a hundred, and no more', () => {
    expect(speedOf(calls(9)).state).toBe('ok');
    expect(speedOf(calls(20))).toMatchObject({
      state: 'fault',
      found: expect.stringContaining('80.00 ms') as string,
    });
  });
});

describe('the check of types', () => {
  beforeAll(() => symlinkSync(join(PROJECT_ROOT, 'node_modules'), join(folder.path, 'node_modules')));

  it('reports each error with its place', () => {
    const file = folder.file('wrong.ts', 'export const a = 1;\nexport const b: string = a;\n');
    expect(checkTypes(file)).toMatchObject([
      { check: 'types', state: 'fault', found: expect.stringContaining('TS2322') as string },
    ]);
    expect(checkTypes(file)[0]?.where).toMatch(/wrong.ts:2$/);
  });

  it('passes a file that is right, by the options of the project around it', () => {
    folder.file('tsconfig.json', '{ "compilerOptions": { "strict": false, "module": "nodenext" } }');
    const file = folder.file('right.ts', 'export const f = (a) => a;\n');
    expect(checkTypes(file)).toMatchObject([{ state: 'ok' }]);
  });

  it('is skipped for JavaScript, and without a compiler', () => {
    expect(checkTypes(folder.file('plain.mjs', ''))).toMatchObject([{ state: 'skipped' }]);
    expect(checkTypes('/nowhere/strategy.ts')).toMatchObject([
      { state: 'skipped', advice: expect.stringContaining('npm install') as string },
    ]);
  });
});

import { afterAll, describe, expect, it } from 'vitest';
import { checkStrategy } from '../../../src/app/strategies/check/check.ts';
import type { CheckFinding } from '../../../src/app/strategies/check/finding.ts';
import type { Scenario } from '../../../src/app/strategies/scenarios.ts';
import { temporaryFolder } from '../../support/exchange.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

/** Three short matches, which a strategy tells apart by the goals of the home team. */
const SCENARIOS: readonly Scenario[] = ['first', 'second', 'third'].map((name, goals) => ({
  name,
  description: 'd',
  minutes: 0.2,
  playedMinutes: 0,
  changes: () => ({ score: [goals, 0] }),
}));

/** What strategies quote as soon as they see a match with the goals `AT`. */
const QUOTE =
  '[{ selectionId: view.selections[0].selectionId, direction: "against", tick: 20, level: 0, stakeMicros: 1e6 }]';

/** Each behaves as its key says in one scenario only, and quotes nothing in the others. */
const BEHAVIOURS = {
  quotes: `quote: (view) => view.score[0] === AT ? ${QUOTE} : []`,
  throws: 'quote(view) { if (view.score[0] === AT) throw new Error("no such case"); return []; }',
  readsTheClock: 'quote(view) { if (view.score[0] === AT) Date.now(); return []; }',
  counts: `quote: (view) => view.score[0] === AT ? ${QUOTE.replace('1e6', '1e6 + calls++')} : []`,
  forgets: `quotes: (view$) => view$.pipe(rxjs.scan((seen, view) => ({ n: seen.n + 1, view }), { n: 0 }),
    rxjs.map(({ n, view }) => view.score[0] === AT ? ${QUOTE.replace('1e6', '1e6 + n')} : []))`,
};

async function check(
  behaviour: keyof typeof BEHAVIOURS,
  goals: number,
): Promise<Map<string, readonly CheckFinding[]>> {
  const body = BEHAVIOURS[behaviour].replaceAll('AT', String(goals));
  const file = folder.file(
    `${behaviour}${goals}.mjs`,
    `let calls = 0;
export default ({ defineStrategy, rxjs, z }) => defineStrategy({ name: 'n', description: 'd', parameters: z.strictObject({}),
${body} });`,
  );
  const found: CheckFinding[] = [];
  for await (const finding of checkStrategy(file, { scenarios: SCENARIOS, types: () => [] }))
    found.push(finding);
  return Map.groupBy(found, (finding) => finding.check);
}

const inEach = SCENARIOS.map(({ name }, goals) => [name, goals] as const);

describe('the check of a strategy looks at every scenario', () => {
  it.each(inEach)('for quotes: only the %s has some', async (_, goals) => {
    expect((await check('quotes', goals)).get('quotes')).toMatchObject([
      { state: 'ok', found: 'it quotes in 12 of 36 views' },
    ]);
  });

  it('a check warns that nothing was quoted only if no scenario has a quote', async () => {
    expect((await check('quotes', 3)).get('quotes')).toMatchObject([
      { state: 'warning', found: 'it quoted nothing in 36 views of 3 scenarios' },
    ]);
  });

  it.each(inEach)('for answers: only in the %s it throws', async (name, goals) => {
    expect((await check('throws', goals)).get('answers')).toMatchObject([
      { state: 'fault', found: expect.stringContaining(`(scenario ${name}, first at second 0, 12 times)`) },
    ]);
  });

  it.each(inEach)('for what it must not use: only in the %s it reads the clock', async (_, goals) => {
    expect((await check('readsTheClock', goals)).get('time')).toMatchObject([
      { state: 'fault', found: 'it uses Date.now()' },
    ]);
  });

  it.each(inEach)('for determinism: only the %s goes differently', async (name, goals) => {
    const found = await check('counts', goals);
    expect(found.get('determinism')).toMatchObject([
      { state: 'fault', found: expect.stringContaining(`the scenario ${name} goes differently`) },
    ]);
    expect(found.get('restart')).toMatchObject([{ state: 'skipped' }]);
  });

  it.each(inEach)('for restarts: only in the %s something is forgotten', async (name, goals) => {
    const found = await check('forgets', goals);
    expect(found.get('determinism')).toMatchObject([{ state: 'ok' }]);
    expect(found.get('restart')).toMatchObject([
      { state: 'fault', found: expect.stringContaining(`in the scenario ${name} it decides differently`) },
    ]);
  });
});

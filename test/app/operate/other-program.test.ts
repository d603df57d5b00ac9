import { afterAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { type Operation, resume, riskReport, setState, why } from '../../../src/app/operate/operate.ts';
import { openSqliteJournal } from '../../../src/storage/sqlite-journal.ts';
import { adminServing } from '../../support/admin-serving.ts';
import { temporaryFolder } from '../../support/exchange.ts';
import { answering, withServer } from '../../support/other-program.ts';

const folder = temporaryFolder();
afterAll(() => folder.remove());

const operationAt = (url: string, settings: Readonly<Record<string, string>> = {}): Operation => ({
  config: () => loadConfig({ files: [], environment: {}, settings }).values,
  url,
});

type Ask = (operation: Operation) => Promise<unknown>;
const HALTED = { state: 'halted', reason: 'drill' } as const;
const COMMANDS: readonly (readonly [string, Ask])[] = [
  ['risk', riskReport],
  ['risk state', (operation) => setState(operation, HALTED)],
  ['why', (operation) => why(operation, null)],
  ['resume', (operation) => resume(operation, 'drill')],
];
const ANSWERS: readonly (readonly [number, string])[] = [
  [200, '{}'],
  [200, '[{}]'],
  [200, 'null'],
  [200, '{"fine":true,"openOrders":"none","binding":"open"}'],
  [404, '{"message":"Route not found"}'],
];

describe('where another program answers', () => {
  const cases = COMMANDS.flatMap(([name, ask]) =>
    ANSWERS.map(([status, body]) => [name, status, body, ask] as const),
  );

  it.each(cases)('%s does not mistake %d %s for a daemon’s answer', async (_name, status, body, ask) => {
    await withServer(answering(status, body), async (url) => {
      await expect(ask(operationAt(url))).rejects.toMatchObject({
        code: 'transport',
        message: `what answers at ${url} is no daemon`,
      });
    });
  });

  it('reports a named event or selection as unknown', async () => {
    await withServer(answering(404, '{}'), async (url) => {
      const named = [{ event: '2026-01-01,1,2' }, { selection: 'fb|2026-01-01,1,2|h' }];
      const reasons = [
        /^--event 2026-01-01,1,2: the daemon/,
        /^--selection fb\|2026-01-01,1,2\|h: the daemon/,
      ];
      for (const [n, scope] of named.entries())
        await expect(setState(operationAt(url), { ...HALTED, ...scope })).rejects.toMatchObject({
          code: 'usage',
          message: expect.stringMatching(reasons[n] ?? /./) as string,
        });
      await expect(why(operationAt(url), 'h')).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('no selection named h') as string,
      });
    });
  });

  it('writes a resume into the journal, as where no daemon answers', async () => {
    const path = `${folder.path}/journal.sqlite`;
    openSqliteJournal(path, systemClock).close();
    await withServer(answering(200, '{}'), async (url) => {
      expect(await resume(operationAt(url, { 'journal.path': path }), 'drill')).toMatchObject({
        trading: true,
      });
    });
  });
});

it('passes a daemon’s answers on unchanged', async () => {
  const amounts = { worstCaseUsdt: -1, grossUsdt: 2 };
  const exposure = { account: { ...amounts, openUsdt: 1, more: 'kept' }, scopes: [], events: [] };
  const risk = {
    killed: null,
    openOrders: null,
    latchedIn: null,
    remaining: [],
    alarms: [],
    refusals: { stake: 1 },
    blocked: {},
    exposure,
  };
  const reasons = [
    {
      wanted: [],
      selectionId: 'fb|2026-01-01,1,2|h',
      verdicts: [],
      state: 'active',
      alarms: [],
      reason: { for: null, against: null },
      more: 'kept',
    },
  ];
  const state = { scope: { kind: 'account' }, binding: 'halted', by: 'al', why: 'lunch' };
  const report = { released: [], remaining: [{ what: 'w', release: 'r' }], trading: false, reducing: false };
  const daemon = await adminServing({
    risk: () => risk,
    why: () => reasons,
    setState: () => state,
    resume: () => report,
  });
  const operation = operationAt(daemon.url);
  const answers = await Promise.all(COMMANDS.map(([, ask]) => ask(operation)));
  await daemon.close();
  expect(JSON.stringify(answers)).toBe(JSON.stringify([risk, state, reasons, report]));
});

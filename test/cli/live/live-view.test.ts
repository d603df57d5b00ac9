import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LiveView, type Watched } from '../../../src/cli/output/live/live-view.ts';
import type { EventKey, SelectionId } from '../../../src/domain/ids.ts';
import { liveReport, logReport, type Operation } from '../../../src/app/operate/operate.ts';
import type { LiveState } from '../../../src/read-model/live/message.ts';
import type { EventStatus } from '../../../src/read-model/status.ts';
import { adminServing, IDLE } from '../../support/admin-serving.ts';
import { commanded } from '../../support/run-command.ts';
import { aStatus } from '../../support/status.ts';

const SIZE = { columns: 80, rows: 60 };

const event = (name: string, startsInMs: number, ifLose: number): EventStatus => ({
  key: `fb|2026-01-01,${startsInMs},2` as EventKey,
  name,
  sport: 'fb',
  startsInMs,
  inRunning: false,
  score: null,
  quoted: true,
  strategyThrows: null,
  refusedQuotes: [],
  selections: [
    {
      selectionId: `fb|2026-01-01,${startsInMs},2|h` as SelectionId,
      outcome: 'h',
      market: { for: 2, against: 2.1 },
      depth: { for: 10, against: 10 },
      quoted: { for: null, against: null },
      stake: { for: 0, against: 0 },
      filled: { for: 0, against: 0 },
      ifWin: 0,
      ifLose,
      missing: null,
    },
  ],
});

const NAMES = ['Anna v Bea', 'Cleo v Dora', 'Eve v Fay'] as const;
const [A, B, C] = [event(NAMES[0], 300, 0), event(NAMES[1], 100, -5), event(NAMES[2], 200, -9)];

/** A run that quotes nothing, on a terminal without room for more than its status, except for the changes. */
const watched = (changes: Partial<Watched> = {}): Watched => ({
  status: aStatus(),
  state: null,
  log: [],
  ...changes,
});

/** The order of the events in the view. */
function shown(view: LiveView, events: readonly EventStatus[]): string[] {
  const text = view.render(watched({ status: aStatus({ events }) }), SIZE).join('\n');
  return NAMES.filter((name) => text.includes(name)).toSorted((a, b) => text.indexOf(a) - text.indexOf(b));
}

describe('the live view', () => {
  it('keeps each event in the place at which it was first seen', () => {
    fc.assert(
      fc.property(fc.array(fc.shuffledSubarray([A, B, C]), { maxLength: 6 }), (later) => {
        const view = new LiveView(false);
        expect(shown(view, [C, A, B])).toEqual([C, A, B].map(({ name }) => name));
        for (const events of later)
          expect(shown(view, events)).toEqual(
            [C, A, B].filter((each) => events.includes(each)).map(({ name }) => name),
          );
      }),
    );
  });

  it('sorts by start and by what is at risk on a key', () => {
    const view = new LiveView(false);
    view.onKey('s');
    expect(shown(view, [A, B, C])).toEqual([B, C, A].map(({ name }) => name));
    view.onKey('s');
    expect(shown(view, [A, B, C])).toEqual([C, B, A].map(({ name }) => name));
    view.onKey('s');
    expect(shown(view, [A, B, C])).toEqual([A, B, C].map(({ name }) => name));
  });

  it('pauses at one key, and kills or resumes only when asked twice', () => {
    const view = new LiveView(false);
    expect(view.onKey('p')).toBe('pause');
    for (const [key, command] of [
      ['k', 'kill'],
      ['r', 'resume'],
    ] as const) {
      expect(view.onKey(key)).toBeNull();
      expect(view.render(watched(), SIZE).at(-1)).toMatch(/y to confirm/);
      expect(view.onKey('n')).toBeNull();
      expect(view.onKey('y')).toBeNull();
      view.onKey(key);
      expect(view.onKey('y')).toBe(command);
    }
  });

  it('never kills by keys without k and y in a row', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('k', 'y', 'p', 's', 'h', 'r', 'x'), { maxLength: 12 }), (keys) => {
        const view = new LiveView(false);
        let asked = false;
        for (const key of keys) {
          const command = view.onKey(key);
          expect(command === 'kill').toBe(asked && key === 'y');
          asked = !asked && key === 'k' && !view.render(watched(), SIZE).at(-1)?.startsWith('RESUME');
          asked &&= view.render(watched(), SIZE).at(-1)?.startsWith('KILL') === true;
        }
      }),
    );
  });

  it('is left by a key only where it watches another process', () => {
    expect(new LiveView(false).onKey('q')).toBeNull();
    expect(new LiveView(true).onKey('q')).toBe('quit');
  });

  it('shows help, the sort and notices in the last line', () => {
    const view = new LiveView(true);
    const last = () => view.render(watched(), { columns: 80, rows: 24 }).at(-1);
    expect(last()).toBe('h help   (sorted by first seen)');
    view.onKey('h');
    expect(last()).toContain('q quit');
    view.notice('paused');
    expect(last()).toBe('paused');
    view.onKey('x');
    expect(last()).toContain('p pause');
  });
});

describe('touchline status', () => {
  it('prints one screen, or the whole status as JSON', async () => {
    const status = aStatus({ events: [A] });
    const daemon = await adminServing({}, 0, { ...IDLE, status: () => status });
    try {
      const [code, stdout] = await commanded('status', '--url', daemon.url);
      expect([code, stdout]).toEqual([0, expect.stringContaining('Anna v Bea fb starts in 0 min')]);
      expect(stdout).not.toContain('\x1b');
      const [, json] = await commanded('status', '--json', '--url', daemon.url);
      expect(JSON.parse(json)).toEqual(status);
    } finally {
      await daemon.close();
    }
  });

  it('watches what the daemon has for pages, and its log', async () => {
    const state: LiveState = { atMs: 7, frameAtMs: null, pieces: [] };
    const log = [JSON.stringify({ level: 'info', time: '2026-01-31T02:14:07.123Z', msg: 'order live' })];
    const asked: (readonly string[])[] = [];
    const live = (events: ReadonlySet<string>) => (asked.push([...events]), state);
    const daemon = await adminServing({}, 0, {
      ...IDLE,
      live,
      records: { ...IDLE.records, log: () => log },
    });
    const operation: Operation = {
      url: daemon.url,
      config: () => Promise.reject(new Error('no configuration is needed')),
    };
    try {
      expect(await liveReport(operation, new Set([A.key]))).toEqual(state);
      expect(asked).toEqual([[A.key]]);
      expect(await logReport(operation)).toEqual(log);
    } finally {
      await daemon.close();
    }
  });

  it('tells another program from a daemon', async () => {
    const daemon = await adminServing({}, 0, { ...IDLE, status: () => ({ mode: 'simulated' }) });
    try {
      const [code] = await commanded('status', '--url', daemon.url);
      expect(code).not.toBe(0);
    } finally {
      await daemon.close();
    }
  });
});

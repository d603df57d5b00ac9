import { describe, expect, it } from 'vitest';
import { JournalError } from '../../../src/domain/errors.ts';
import { eventId as toEventId, sport } from '../../../src/domain/ids.ts';
import { type Fault, faultSchema } from '../../../src/simulator/faults/schema.ts';
import { installationEntry } from '../../../src/storage/marked-journal.ts';
import { createMemoryJournal } from '../../../src/storage/memory-journal.ts';
import { CalmDay } from '../../support/calm-day.ts';
import { OWN } from '../../support/claims.ts';
import { dayWithBet, lossLimitsOf } from '../../support/day-with-bet.ts';

const answerOf = (fields: object): Fault => faultSchema.parse({ fault: 'answer', ...fields });

/** Kills, and resolves once nothing is open. No create may leave meanwhile. */
async function killed(day: CalmDay): Promise<void> {
  const before = day.creates();
  day.controls.kill('drill', 'a person');
  await day.until('all closed', () => day.open().length === 0);
  await day.pass(10_000);
  expect([day.open().length, day.creates()]).toEqual([0, before]);
}

describe('a kill that the journal accepts', () => {
  it('holds over restarts until a person resumes', async () => {
    const day = new CalmDay();
    await day.begin();
    await killed(day);
    expect(day.run.composed.parts.riskInputs.kept.latchedIn).toBe('journal');
    expect(day.run.daemon.status().blocked).toBe('stopped: killed: drill');
    for (let restart = 0; restart < 2; restart++) {
      await day.crash();
      await day.begin(false);
      await day.pass(20_000);
      expect([day.open().length, day.creates()]).toEqual([0, 0]);
    }
    expect(day.resume()).toMatchObject({
      released: ['killed by a person: drill'],
      remaining: [],
      trading: true,
    });
    await day.until('quoting', () => day.open().length > 1);
    expect(day.run.daemon.status().blocked).toBeNull();
  });
});

describe('a kill whose reason arrives later', () => {
  const killedTwice = async (): Promise<CalmDay> => {
    const day = new CalmDay();
    await day.begin();
    const first = day.controls.kill('POST /kill', 'somebody');
    const second = day.controls.kill('POST /kill', 'somebody else');
    second.explain('another kill', 'somebody else');
    expect(first.answer()).toMatchObject({ killed: { reason: 'POST /kill', by: 'somebody' } });
    await day.pass(1_000);
    expect(day.open()).toEqual([]);
    first.explain('drill', 'a person');
    return day;
  };

  it('is latched with its reason, and closes orders before the reason arrives', async () => {
    const day = await killedTwice();
    expect(day.run.daemon.status().blocked).toBe('stopped: killed: drill');
    expect(day.run.composed.parts.riskInputs.kept.latchedIn).toBe('journal');
    await day.crash();
    await day.begin(false);
    expect(day.resume().released).toEqual(['killed by a person: drill']);
  });

  it('ignores a reason that arrives after a resume', async () => {
    const day = new CalmDay();
    await day.begin();
    const kill = day.controls.kill('POST /kill', 'somebody');
    day.resume();
    kill.explain('drill', 'a person');
    expect([kill.answer(), day.run.daemon.status().blocked]).toEqual([
      expect.objectContaining({ killed: null }),
      null,
    ]);
    day.controls.kill('another', 'a person');
    kill.explain('drill', 'a person');
    expect(kill.answer()).toMatchObject({ killed: { reason: 'another' } });
  });

  it('stays in the journal when the disk has no room for its reason', async () => {
    const day = new CalmDay();
    await day.begin();
    const kill = day.controls.kill('POST /kill', 'somebody');
    day.world.diskFull = true;
    kill.explain('drill', 'a person');
    const { riskInputs } = day.run.composed.parts;
    expect([riskInputs.kept.latchedIn, riskInputs.kept.unlatched]).toEqual(['journal', null]);
    await day.crash();
    day.world.diskFull = false;
    await day.begin(false);
    expect(day.run.composed.core.risk.killed).toMatchObject({ reason: 'POST /kill', by: 'somebody' });
  });
});

describe('a kill', () => {
  it('withdraws the permit as well, and a resume grants it last', async () => {
    const day = new CalmDay();
    const { permit, disk } = day.world;
    await day.begin();
    const granted = permit.text;
    const kinds = (): string[] => disk.store.records.slice(-1).map(({ kind }) => kind);
    day.controls.kill('drill', 'a person');
    expect([permit.text, kinds()]).toEqual([expect.stringContaining('drill'), ['risk_snapshot']]);
    // The permit is not granted until the journal has recorded the resume.
    day.world.diskFull = true;
    day.resume();
    expect(permit.text).toContain('drill');
    await day.crash();
    await day.begin(false);
    expect(day.resume()).toMatchObject({ trading: true });
    expect(permit.text).toBe(granted);
  });

  it.each([true, false])('holds when the journal has lost it, with its mark: %s', async (hasMark) => {
    const day = new CalmDay();
    await day.begin();
    await killed(day);
    const { disk, mark } = day.world;
    await day.crash();
    const at = disk.store.records.findLastIndex(({ kind, data }) => kind === 'risk_snapshot' && isFree(data));
    disk.store.records.length = at + 1;
    if (!hasMark) mark.text = null;
    await day.begin(false);
    await day.pass(30_000);
    expect([day.creates(), day.run.composed.core.risk.killed]).toEqual([
      0,
      expect.objectContaining({ reason: 'drill' }),
    ]);
  });

  it('is found in both places after a start with the permit still granted', async () => {
    const day = new CalmDay();
    await day.begin();
    const granted = day.world.permit.text;
    await killed(day);
    await day.crash();
    day.world.permit.text = granted;
    await day.begin(false);
    expect(day.world.permit.text).toContain('drill');
  });
});

/** Whether a snapshot of risk records no kill. */
const isFree = (data: unknown): boolean => (data as { readonly kill: unknown }).kill === null;

describe('a journal that has lost its last records', () => {
  it('is closing only, in each run until it is whole again', async () => {
    const day = new CalmDay();
    await day.begin();
    const { disk, mark } = day.world;
    day.world.kill();
    const { records } = disk.store;
    const marked = mark.text;
    const { seq } = JSON.parse(marked ?? '') as { readonly seq: number };
    const lost = records.splice(seq - 1);
    for (let start = 0; start < 2; start++) {
      await day.begin(false);
      await day.pass(20_000);
      expect([day.creates(), day.run.daemon.status().blocked]).toEqual([0, 'journal_failed']);
      expect(day.resume()).toMatchObject({ trading: false });
      day.world.kill();
      expect([mark.text, records.length]).toEqual([marked, seq - 1]);
    }
    records.push(...lost);
    await day.begin();
  });
});

describe('a kill that the journal does not accept', () => {
  it('is reported as not latched in a first run that had no room to record its permit', async () => {
    const day = new CalmDay();
    const { clock, disk } = day.world;
    const named = { kind: 'begun_in_mode', uuid: null, data: { mode: 'simulated' } };
    createMemoryJournal(clock, { store: disk.store }).append([named, installationEntry(OWN)]);
    day.world.diskFull = true;
    await day.begin(false);
    day.controls.kill('drill', 'a person');
    const { riskInputs } = day.run.composed.parts;
    expect([riskInputs.kept.latchedIn, riskInputs.kept.unlatched]).toEqual([
      null,
      expect.objectContaining({ reason: 'drill' }),
    ]);
  });

  it('is latched by the permit, and released only by a resume that is recorded', async () => {
    const day = new CalmDay();
    await day.begin();
    day.world.diskFull = true;
    await killed(day);
    const { riskInputs, orders } = day.run.composed.parts;
    expect(day.run.daemon.status().blocked).toBe('stopped: killed: drill');
    expect([riskInputs.kept.latchedIn, riskInputs.kept.unlatched, orders.status().journalFailed]).toEqual([
      'permit',
      null,
      true,
    ]);

    const refused = day.resume();
    expect(refused.trading).toBe(false);
    expect(refused.released).toEqual([]);
    expect(refused.remaining[0]?.release).toContain('start the daemon again');
    await day.pass(10_000);
    expect(day.open()).toEqual([]);

    await day.crash();
    await day.begin(false);
    await day.pass(20_000);
    expect([day.open().length, day.creates()]).toEqual([0, 0]);
    expect(day.run.composed.parts.riskInputs.kept.latchedIn).toBe('journal');
    expect(day.resume()).toMatchObject({ trading: true, remaining: [] });
    await day.until('quoting', () => day.open().length > 1);
    await day.crash();
    await day.begin();
  });

  it('is not resumed by a reason that is not recorded', async () => {
    const day = new CalmDay();
    await day.begin();
    await killed(day);
    day.world.diskFull = true;
    expect(day.resume()).toMatchObject({ released: [], trading: false });
    await day.pass(10_000);
    expect(day.open()).toEqual([]);
    await day.crash();
    await day.begin(false);
    await day.pass(20_000);
    expect([day.open().length, day.creates()]).toEqual([0, 0]);
  });
});

describe('a loss limit', () => {
  it('kills, holds over restarts, and starts counting anew with a resume', async () => {
    const { day, market } = await dayWithBet(lossLimitsOf(3));
    expect(day.run.composed.core.risk.killed).toBeNull();
    market.move(1.3, 1.4);
    await day.until('killed', () => day.run.composed.core.risk.killed !== null);
    expect(day.run.composed.core.risk.killed).toMatchObject({ by: 'loss limit' });
    expect(day.run.composed.core.risk.killed?.reason).toMatch(/^lost \d.* since the (day|peak), limit 3$/);
    await day.until('all closed', () => day.open().length === 0);
    await day.crash();
    await day.begin(false);
    await day.pass(20_000);
    expect([day.open().length, day.creates()]).toEqual([0, 0]);
    expect(day.resume()).toMatchObject({ trading: true, remaining: [] });
    await day.until('quoting', () => day.open().length > 0);
    await day.pass(30_000);
    expect(day.run.composed.core.risk.killed).toBeNull();
  });
});

describe('the permit to trade', () => {
  it('stops a daemon when it is taken away, and keeps the next one from trading', async () => {
    const day = new CalmDay();
    await day.begin();
    day.world.permit.text = null;
    await day.until('all closed', () => day.open().length === 0);
    expect(day.run.composed.core.risk.killed).toMatchObject({ by: 'permit' });
    day.resume();
    await day.until('quoting', () => day.open().length > 1);
    await day.crash();
    day.world.permit.text = null;
    await day.begin(false);
    await day.pass(20_000);
    expect([day.open().length, day.creates()]).toEqual([0, 0]);
  });
});

describe('a failed write', () => {
  it('of risk closes every order and places none, at once', async () => {
    const day = new CalmDay();
    await day.begin();
    day.world.diskFull = true;
    const before = day.creates();
    expect(day.run.composed.parts.riskInputs.kept.save()).toBe(false);
    const { orders } = day.run.composed.parts;
    expect(orders.status()).toMatchObject({ journalFailed: true, blocked: 'journal_failed' });
    await day.until('all closed', () => day.open().length === 0);
    await day.pass(30_000);
    expect([day.open().length, day.creates()]).toEqual([0, before]);
    expect(day.run.daemon.ready()).toEqual({ ok: false, reasons: ['journal_failed'] });
    expect(day.world.log.filter((line) => line.includes('cannot be written: closing only'))).toHaveLength(1);
  });

  it('of any other kind does the same', async () => {
    const day = new CalmDay();
    await day.begin();
    day.world.diskFull = true;
    const { journal, parts } = day.run.composed;
    expect(() => journal.append([{ kind: 'of_others', uuid: null, data: {} }])).toThrow(JournalError);
    expect(parts.orders.status()).toMatchObject({ journalFailed: true, blocked: 'journal_failed' });
    await day.until('all closed', () => day.open().length === 0);
  });

  it('of a trading state that a person has set keeps the next run from trading', async () => {
    const day = new CalmDay();
    await day.begin();
    day.world.diskFull = true;
    day.controls.setState({ state: 'halted', reason: 'odd' }, 'a person');
    await day.crash();
    await day.begin(false);
    await day.pass(20_000);
    expect([day.open().length, day.creates()]).toEqual([0, 0]);
    expect(day.run.composed.core.risk.killed?.by).toBe('permit');
  });
});

describe("the order manager's own latch", () => {
  it('is released by a resume, and stays released over a restart', async () => {
    const day = new CalmDay({
      faults: [answerOf({ target: 'orders.create', status: 401, code: 'unauthorized', at: 40, times: 1 })],
    });
    await day.begin();
    const { orders } = day.run.composed.parts;
    await day.until('latched', () => orders.status().latched !== null);
    await day.until('all closed', () => day.open().length === 0);
    expect(day.controls.risk()).toMatchObject({ remaining: [{ release: 'touchline resume --reason TEXT' }] });
    expect(day.resume()).toMatchObject({
      released: [expect.stringContaining('the exchange refuses our key')],
      remaining: [],
      trading: true,
    });
    await day.until('quoting', () => day.open().length > 1);
    await day.crash();
    await day.begin();
  });

  it('keeps the next run from trading when it was set as the journal failed', async () => {
    const day = new CalmDay();
    await day.begin();
    const { riskInputs } = day.run.composed.parts;
    day.world.diskFull = true;
    riskInputs.onUnwrittenLatch('an order differs');
    expect(day.run.composed.core.risk.killed?.reason).toContain('an order differs');
    await day.crash();
    await day.begin(false);
    await day.pass(20_000);
    expect(day.creates()).toBe(0);
  });
});

describe('trading states', () => {
  it('of one event, of one selection and of the account bind, are shown with who and why, and outlive restarts', async () => {
    const day = new CalmDay();
    await day.begin();
    const eventId = day.open()[0]?.eventId ?? '';
    day.controls.setState({ state: 'halted', event: eventId, reason: 'odd news' }, 'al');
    await day.until('its orders closed', () => day.open().every((order) => order.eventId !== eventId));
    await day.crash();
    await day.begin(false);
    await day.pass(20_000);
    expect(day.open().filter((order) => order.eventId === eventId)).toEqual([]);
    const answers = day.controls.why(null) as readonly {
      readonly selectionId: string;
      readonly state: string;
      readonly stateSetBy: object;
    }[];
    const halted = answers.find(({ selectionId }) => selectionId.includes(eventId));
    expect(halted).toMatchObject({
      state: 'halted',
      stateSetBy: { by: 'al', why: 'odd news', scope: { kind: 'event' } },
    });
    const title = day.run.composed.names.event({ sport: sport('fb'), eventId: toEventId(eventId) });
    expect(title).toMatch(/ v /);
    const { states } = day.controls.risk() as { readonly states: readonly object[] };
    expect(states).toMatchObject([{ state: 'halted', by: 'al', why: 'odd news' }]);
    expect(day.resume().remaining).toMatchObject([
      {
        what: `event ${title} halted by al: odd news`,
        release: `touchline risk state active --event 'fb/${eventId}' --reason TEXT`,
      },
    ]);

    const name = halted?.selectionId ?? '';
    const elsewhere = { state: 'active', event: `fb_ht/${eventId}`, reason: 'fine' } as const;
    expect(day.controls.setState(elsewhere, 'al')).toBeNull();
    const named = { ...elsewhere, state: 'reducing', event: `fb/${eventId}` } as const;
    expect(day.controls.setState(named, 'al')).toMatchObject({
      scopes: [{ kind: 'event', sport: 'fb', eventId }],
      binding: 'reducing',
    });
    expect(day.controls.setState({ state: 'active', event: eventId, reason: 'fine' }, 'al')).toMatchObject({
      binding: 'active',
    });
    expect(day.controls.setState({ state: 'reducing', selection: name, reason: 'thin' }, 'al')).toMatchObject(
      { binding: 'reducing' },
    );
    expect(day.controls.setState({ state: 'halted', reason: 'lunch' }, 'al')).toMatchObject({
      binding: 'halted',
    });
    expect(day.controls.setState({ state: 'active', selection: name, reason: 'ok' }, 'al')).toMatchObject({
      state: 'active',
      binding: 'halted',
      by: 'al',
      why: 'lunch',
    });
    expect(day.resume()).toMatchObject({ trading: false, reducing: false });
    day.controls.setState({ state: 'reducing', reason: 'a little' }, 'al');
    expect(day.resume()).toMatchObject({ trading: false, reducing: true });
    day.controls.setState({ state: 'active', reason: 'back' }, 'al');
    expect(day.resume()).toMatchObject({ trading: true, remaining: [] });
    await day.until('quoting', () => day.open().length > 1);
  });

  it('survive a daemon that is killed just after its start', async () => {
    const day = new CalmDay();
    await day.begin();
    day.controls.setState({ state: 'reducing', reason: 'lunch' }, 'al');
    await day.crash();
    await day.world.begin();
    day.controls.kill('stop', 'bo');
    await day.until('started', () => day.run.started);
    expect(day.resume().remaining).toMatchObject([{ what: 'account reducing by al: lunch' }]);
    await day.crash();
    await day.begin(false);
    expect(day.run.composed.core.risk.snapshot()).toMatchObject({
      kill: null,
      states: [{ state: 'reducing', by: 'al' }],
    });
  });

  it('take a name, or a part of one that nothing else has', async () => {
    const day = new CalmDay({ daemon: { maxSelections: 4 } });
    await day.begin();
    const answers = day.controls.why(null) as readonly Record<'selectionId' | 'event' | 'name', string>[];
    const [first, ...others] = answers;
    expect(others.map(({ name }) => name)).not.toContain(first?.name);
    const { selectionId = '', event = '', name = '' } = first ?? {};
    const wish = { state: 'halted', reason: 'x' } as const;
    for (const text of [`${event}: ${name}`, `${event} ${name}`.toUpperCase(), name, selectionId])
      expect(day.controls.setState({ ...wish, selection: text }, 'al')).toMatchObject({
        scopes: [{ kind: 'selection', selectionId }],
        of: `selection ${event}: ${name}`,
      });
    expect(day.controls.why(name)).toMatchObject([{ selectionId, event, name }]);
    const [team = ''] = event.split(' v ');
    for (const text of [event, team.toLowerCase(), `fb/${team}`])
      expect(day.controls.setState({ ...wish, event: text }, 'al')).toMatchObject({
        scopes: [{ kind: 'event', sport: 'fb' }],
        of: `event ${event}`,
      });
  });

  it('refuse a name that several have, and name them', async () => {
    const day = new CalmDay({ daemon: { maxSelections: 60 } });
    await day.begin();
    const before = day.run.composed.core.risk.snapshot().states;
    const wish = { state: 'halted', reason: 'x' } as const;
    const several = /^"v" may mean \d+ things: .+ v .+; .+ v .+\. Write more of the name, or an id$/;
    expect(() => day.controls.setState({ ...wish, selection: 'v' }, 'al')).toThrow(several);
    expect(() => day.controls.setState({ ...wish, event: 'v' }, 'al')).toThrow(several);
    expect(() => day.controls.loosens({ ...wish, event: 'v' })).toThrow(several);
    // Of the one event that is chosen, several selections.
    expect(() => day.controls.why('over')).toThrow(/^"over" may mean \d+ things: .+; .+\. Write more/);
    expect(day.controls.why('v')).toHaveLength([...day.run.composed.engine.chosen.values()].flat().length);
    expect(day.run.composed.core.risk.snapshot().states).toEqual(before);
  });

  it('for unknown targets are refused', async () => {
    const day = new CalmDay();
    await day.begin();
    const wish = { state: 'halted', reason: 'x' } as const;
    expect(day.controls.setState({ ...wish, event: '2026-01-01,1,2' }, 'al')).toBeNull();
    expect(day.controls.setState({ ...wish, selection: 'fb|2026-01-01,1,2|h' }, 'al')).toBeNull();
    expect(day.run.composed.core.risk.snapshot().states).toEqual([]);
  });
});

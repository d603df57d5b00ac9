import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/domain/errors.ts';
import type { EventName } from '../../../src/domain/events.ts';
import { eventId } from '../../../src/domain/ids.ts';
import type { PriceConvention } from '../../../src/domain/odds.ts';
import type { RecordedConvention } from '../../../src/engine/convention/journalled.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import { type Given, MATCH, Rig, SETTLE_MS } from './support.ts';

const OTHER: EventName = { ...MATCH, eventId: eventId('2') };
const opposite = (convention: PriceConvention): PriceConvention => (convention === 'odds' ? 'lay' : 'odds');
const both = ['odds', 'lay'] as const;

describe('the record of the convention', () => {
  const by = (convention: PriceConvention, how: RecordedConvention['how']): RecordedConvention => ({
    convention,
    how,
  });
  it.each<[PriceConvention | null, RecordedConvention | null, readonly RecordedConvention[]]>([
    [null, null, []],
    ['lay', null, []],
    ['lay', by('lay', 'configured'), []],
    ['lay', by('lay', 'stream'), []],
    ['odds', by('odds', 'configured'), []],
    ['odds', by('odds', 'stream'), []],
    [null, by('odds', 'stream'), []],
    [null, by('odds', 'configured'), []],
  ])('is added to at the start with %s configured and %j recorded: %j', (configured, recorded, added) => {
    const rig = new Rig({ ...(configured && { configured }), ...(recorded && { recorded }) });
    expect(rig.written).toEqual([...(recorded === null ? [] : [recorded]), ...added]);
  });

  it('is written on a first run with odds configured', () => {
    expect(new Rig({ isFresh: true, configured: 'odds' }).written).toEqual([by('odds', 'configured')]);
    expect(new Rig({ isFresh: true, configured: 'lay' }).written).toEqual([]);
  });

  it.each(both)('is written once the stream proves %s, though a person had said it', (convention) => {
    const rig = new Rig({ recorded: by(convention, 'configured') });
    rig.show(convention);
    expect(rig.written).toEqual([by(convention, 'configured'), by(convention, 'stream')]);
  });

  it('may fail, which its journal reports', () => {
    const full = (): void => {
      throw new Error('full');
    };
    const rig = new Rig({ isFresh: true, configured: 'odds', beforeAppend: full });
    expect([rig.written, rig.hold, rig.fatals]).toEqual([[], null, []]);
  });
});

describe('the prices of the exchange', () => {
  it.each(['lay', 'finer'] as const)('are passed on at the start with the second side %s', (secondSide) => {
    expect(new Rig({ secondSide, configured: 'lay' }).prices).toEqual([{ convention: 'lay', secondSide }]);
    expect(new Rig({ secondSide }).prices).toEqual([{ convention: 'lay', secondSide }]);
  });

  it('are not passed on where nothing differs from lay prices', () => {
    for (const given of [
      {},
      { configured: 'lay' },
      { recorded: { convention: 'lay', how: 'stream' } },
    ] as const)
      expect(new Rig(given).prices).toEqual([]);
  });
});

describe('the votes', () => {
  it.each([
    ['connecting', 0],
    ['closed', 0],
    ['open', 9],
    ['synced', 9],
  ] as const)('after the signal %s count from %i', (kind, votes) => {
    const rig = new Rig();
    rig.show('lay', 9);
    rig.watch.onSignal({ kind, epoch: 2, reason: '', retryInMs: 1 });
    expect(rig.watch.status.votes).toEqual({ odds: 0, lay: votes });
  });

  it.each(both)('put a presumption of %s in doubt only where more are against it', (convention) => {
    const rig = new Rig({ recorded: { convention, how: 'stream' } });
    rig.show(convention, 2);
    expect(rig.hold).toBeNull();
    rig.show(opposite(convention), 1);
    expect(rig.watch.status.votes).toEqual({ [convention]: 1, [opposite(convention)]: 1 });
    expect(rig.hold).toBeNull();
    rig.show(opposite(convention), 2);
    expect(rig.hold).toContain('speaks against');
    rig.show(convention, 1);
    expect(rig.hold).toBeNull();
  });

  it('put nothing in doubt that a person said or this run proved', () => {
    const said = new Rig({ configured: 'lay' });
    said.show('odds', 5);
    const proven = new Rig();
    proven.show('lay');
    proven.show('odds', 8);
    expect([said.hold, proven.hold]).toEqual([null, null]);
  });

  it('are in the status with all else that is known', () => {
    const rig = new Rig({ configured: 'lay' });
    const none = { hold: null, contradiction: null };
    const said = { convention: 'lay', how: 'configured', ...none };
    expect(rig.watch.status).toEqual({ ...said, isProven: false, votes: { odds: 0, lay: 0 } });
    rig.show('lay');
    expect(rig.watch.status).toEqual({ ...said, isProven: true, votes: { odds: 0, lay: 10 } });
  });

  it('are in the metrics, with the convention that is proven', async () => {
    const metrics = createPrometheusMetrics({ processMetrics: false });
    const rig = new Rig({ metrics });
    const values = async (): Promise<string[]> =>
      (await metrics.expose()).text.match(/(?<=^touchline_price_convention.*\{convention=").*$/gm) ?? [];
    expect(await values()).toEqual(['odds"} 0', 'lay"} 0', 'odds"} 0', 'lay"} 0']);
    rig.show('odds', 4);
    await rig.pass(1);
    expect(await values()).toEqual(['odds"} 0', 'lay"} 0', 'odds"} 4', 'lay"} 0']);
    rig.show('odds', 10);
    await rig.pass(1);
    expect(await values()).toEqual(['odds"} 1', 'lay"} 0', 'odds"} 10', 'lay"} 0']);
  });
});

describe('a contradiction names', () => {
  it.each(both)('the setting %s and the votes', (configured) => {
    const shown = opposite(configured);
    const rig = new Rig({ configured, recorded: { convention: configured, how: 'stream' } });
    rig.show(configured, 11);
    rig.show(shown, 11);
    const setting = `exchange.againstPrices = "${configured}"`;
    expect(rig.watch.status.contradiction).toBe(`the stream shows ${shown} prices, against ${setting}`);
    expect(rig.fatals.map((error) => (error as Error).message)).toEqual([
      `${setting}, but the exchange shows ${shown} prices (${shown} 11 votes of 11): set it to "auto" or "${shown}"`,
    ]);
    expect(rig.closes).toEqual([rig.watch.status.contradiction]);
  });

  it('the proof of before, and is not taken back', async () => {
    const rig = new Rig();
    rig.show('lay');
    rig.show('odds');
    rig.show('lay');
    await rig.pass(60);
    const text = 'the stream shows odds prices, against the proof of before';
    expect([rig.hold, rig.closes, rig.fatals]).toEqual([text, [text], []]);
    expect(rig.watch.status).toMatchObject({ convention: 'lay', contradiction: text });
  });
});

describe('the way from lay to odds prices', () => {
  const leaving = (given: Given = {}): Rig => new Rig({ configured: 'odds', ...given });
  const positions = async (given: Given, seconds: number): Promise<Rig> => {
    const rig = leaving({ held: [MATCH, OTHER], ...given });
    await rig.pass(seconds);
    return rig;
  };

  it('asks for open orders to be closed every ten seconds', async () => {
    const rig = leaving({ open: 1 });
    await rig.pass(10);
    expect(rig.closes).toEqual(['placed at lay prices']);
    await rig.pass(1);
    expect(rig.closes).toHaveLength(2);
    expect([rig.asked, rig.written]).toEqual([[], []]);
  });

  it('reads no position while orders are open, and goes on ten seconds after it asked to close them', async () => {
    const rig = leaving({ open: 1, held: [MATCH], reading: 'as booked' });
    await rig.pass(1);
    rig.open = 0;
    await rig.pass(9);
    expect(rig.asked).toEqual([]);
    await rig.pass(1);
    expect([rig.asked, rig.hold]).toEqual([['1'], null]);
  });

  it('is the one from odds to lay prices, too', async () => {
    const rig = new Rig({ configured: 'lay', recorded: { convention: 'odds', how: 'stream' }, open: 1 });
    expect(rig.hold).toBe('orders and bets from the time of odds prices are not settled yet');
    await rig.pass(1);
    rig.open = 0;
    await rig.pass(10);
    expect([rig.closes, rig.hold]).toEqual([['placed at odds prices'], null]);
    expect(rig.written.at(-1)).toEqual({ convention: 'lay', how: 'configured' });
  });

  it('reads each position, and again every ten seconds while one of them cannot be read', async () => {
    const rig = leaving({ held: [MATCH, OTHER], reading: 'as booked' });
    rig.isDown = true;
    await rig.pass(10);
    expect(rig.asked).toEqual(['1']);
    await rig.pass(200);
    expect([rig.asked.length, rig.fatals, rig.hold]).toEqual([
      21,
      [],
      'orders and bets from the time of lay prices are not settled yet',
    ]);
    rig.isDown = false;
    await rig.pass(11);
    expect([rig.asked.slice(21), rig.hold, rig.fatals]).toEqual([['1', '2'], null, []]);
  });

  it('reads only those bets anew whose event the exchange reads otherwise', async () => {
    const first = await positions({ readings: { 1: 'read again', 2: 'as booked' } }, 1);
    expect(first.reread).toEqual([[[true, false, false, false], 'odds-against']]);
    const second = await positions({ readings: { 1: 'as booked', 2: 'read again' } }, 1);
    expect(second.reread).toEqual([[[false, false, false, true], 'odds-against']]);
    const all = await positions({ reading: 'read again' }, 60);
    expect(all.reread).toEqual([[[true, false, false, true], 'odds-against']]);
    expect(String(all.fatals)).toContain('1 bets of the journal were booked at lay prices');
    expect(all.hold).toBe('the run ends: bets of earlier runs have to be read again');
    expect(all.asked).toEqual(['1', '2']);
  });

  it('ends with the sixth look at a position that agrees with neither reading, and counts no other look', async () => {
    const rig = await positions({ readings: { 1: 'as booked', 2: null } }, 50);
    expect([rig.asked.length, rig.fatals]).toEqual([10, []]);
    await rig.pass(2);
    expect([rig.asked.length, rig.fatals]).toEqual([12, [expect.any(ConfigError)]]);
    await rig.pass(60);
    expect([rig.asked.length, rig.fatals.length, rig.reread]).toEqual([12, 1, []]);
  });

  it('ends with the fault of the journal where the bets cannot be written down anew', async () => {
    const fault = new Error('full');
    const rereadFills = (): number => {
      throw fault;
    };
    const rig = await positions({ reading: 'read again', rereadFills }, 1);
    expect([rig.fatals, rig.written]).toEqual([[fault], []]);
  });

  it('begins where the stream disproves what an earlier run proved', async () => {
    const rig = new Rig({ recorded: { convention: 'lay', how: 'stream' }, open: 1 });
    rig.show('odds');
    expect(rig.watch.status).toMatchObject({ convention: 'odds', how: 'stream', isProven: true });
    expect(rig.prices).toEqual([{ convention: 'odds', secondSide: 'against' }]);
    expect(rig.hold).toBe('orders and bets from the time of lay prices are not settled yet');
    rig.open = 0;
    await rig.pass(1);
    expect(rig.written).toHaveLength(2);
    expect(rig.hold).toBe('the market is read anew');
    await rig.pass(SETTLE_MS / 1_000 - 2);
    expect(rig.hold).toBe('the market is read anew');
    await rig.pass(1);
    expect([rig.hold, rig.fatals, rig.watch.status.contradiction]).toEqual([null, [], null]);
  });
});

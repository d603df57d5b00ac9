import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../../src/domain/errors.ts';
import { book, type Given, MATCH, Rig, SETTLE_MS } from './support.ts';

describe('without a word of a person or of the journal', () => {
  it('nothing is quoted until the stream has proven a convention, which is then written down once', async () => {
    const rig = new Rig();
    expect(rig.hold).toContain('0 votes for odds, 0 for lay prices');
    rig.show('lay', 9);
    await rig.pass(1);
    expect(rig.hold).toContain('9 for lay prices');
    rig.show('lay');
    expect(rig.hold).toBeNull();
    expect(rig.watch.status).toMatchObject({ convention: 'lay', how: 'stream', isProven: true });
    rig.show('lay');
    await rig.pass(5);
    expect(rig.written).toEqual([{ convention: 'lay', how: 'stream' }]);
    expect(rig.prices).toEqual([]);
  });

  it('the market is read anew before anything is quoted, where it was read otherwise', async () => {
    const rig = new Rig();
    rig.show('odds');
    expect(rig.prices).toEqual([{ convention: 'odds', secondSide: 'against' }]);
    await rig.pass(1);
    expect(rig.hold).toBe('the market is read anew');
    await rig.pass(SETTLE_MS / 1000 - 2);
    expect(rig.hold).not.toBeNull();
    await rig.pass(1);
    expect(rig.hold).toBeNull();
    expect(rig.written).toEqual([{ convention: 'odds', how: 'stream' }]);
  });

  it('a first run presumes odds, which need no reading anew once they are proven', async () => {
    const rig = new Rig({ isFresh: true });
    expect(rig.prices).toEqual([{ convention: 'odds', secondSide: 'against' }]);
    expect(rig.hold).toContain('0 votes for odds');
    rig.show('odds');
    expect(rig.hold).toBeNull();
    await rig.pass(1);
    expect(rig.written).toEqual([{ convention: 'odds', how: 'stream' }]);
  });

  it('a first run on an exchange of lay prices reads the market anew and has nothing to leave', async () => {
    const rig = new Rig({ isFresh: true });
    rig.show('lay');
    await rig.pass(1);
    expect(rig.hold).toBe('the market is read anew');
    await rig.pass(SETTLE_MS / 1000);
    expect([rig.hold, rig.asked, rig.closes]).toEqual([null, [], []]);
    expect(rig.written).toEqual([{ convention: 'lay', how: 'stream' }]);
    expect(rig.prices.at(-1)).toEqual({ convention: 'lay', secondSide: 'against' });
  });

  it.each(['odds', 'lay'] as const)('a first run with %s configured quotes at once', (configured) => {
    const rig = new Rig({ isFresh: true, configured });
    expect([rig.hold, rig.watch.prices.convention]).toEqual([null, configured]);
  });

  it('votes of a lost connection do not count', () => {
    const rig = new Rig();
    rig.show('lay', 9);
    rig.watch.onSignal({ kind: 'closed', epoch: 1, reason: '', retryInMs: 1 });
    rig.watch.onSignal({
      kind: 'frame',
      epoch: 2,
      sentMs: null,
      receivedMonotonicMs: 0,
      entries: book(20, 'lay'),
    });
    expect(rig.watch.status).toMatchObject({ convention: null, votes: { odds: 0, lay: 1 } });
  });
});

describe('the proof of a convention', () => {
  const PROVEN = 'the stream proves what against prices are';

  it.each<[what: string, given: Given, how: string]>([
    ['nothing was known', {}, 'stream'],
    ['a person has configured it', { configured: 'lay' }, 'configured'],
    ['an earlier run had proven it', { recorded: { convention: 'lay', how: 'stream' } }, 'stream'],
    ['an earlier run had proven another', { recorded: { convention: 'odds', how: 'stream' } }, 'stream'],
  ])('is told once where %s', (_, given, how) => {
    const rig = new Rig(given);
    for (let frame = 0; frame < 3; frame++) rig.show('lay');
    expect(rig.lines.filter((line) => line === PROVEN)).toHaveLength(1);
    expect(rig.watch.status).toMatchObject({ convention: 'lay', how, isProven: true });
  });
});

describe('what is known before', () => {
  it('is trusted at once if a person said it, and lay prices need no record', () => {
    const lay = new Rig({ configured: 'lay' });
    lay.show('lay');
    expect([lay.hold, lay.written, lay.watch.status.isProven]).toEqual([null, [], true]);
  });

  it('is presumed if the stream proved it, until the stream speaks against it', () => {
    const rig = new Rig({ recorded: { convention: 'odds', how: 'stream' } });
    expect(rig.prices).toEqual([{ convention: 'odds', secondSide: 'against' }]);
    expect(rig.hold).toBeNull();
    expect(rig.watch.status).toMatchObject({ how: 'journal', isProven: false });
    rig.show('lay', 1);
    expect(rig.hold).toContain('speaks against');
    rig.show('odds', 10);
    expect([rig.hold, rig.written.length]).toEqual([null, 1]);
    expect(rig.watch.status).toMatchObject({ how: 'stream', isProven: true });
  });

  it('is not presumed if only a person had said it', () => {
    const rig = new Rig({ recorded: { convention: 'odds', how: 'configured' } });
    expect(rig.hold).toContain('votes');
    rig.show('odds');
    expect(rig.hold).toBeNull();
    expect(rig.written.at(-1)).toEqual({ convention: 'odds', how: 'stream' });
  });
});

describe('a contradiction', () => {
  it.each(['lay', 'odds'] as const)('ends a start with %s configured, naming the setting', (configured) => {
    const rig = new Rig({ configured, recorded: { convention: configured, how: 'stream' } });
    rig.show(configured === 'lay' ? 'odds' : 'lay', 9);
    expect(rig.fatals).toEqual([]);
    rig.show(configured === 'lay' ? 'odds' : 'lay');
    expect(rig.fatals).toEqual([expect.any(ConfigError)]);
    expect(String(rig.fatals[0])).toContain('exchange.againstPrices');
    expect(rig.hold).not.toBeNull();
  });

  it('stops quoting for good and closes orders once something was placed', async () => {
    const rig = new Rig({ configured: 'lay', placed: 1 });
    rig.show('odds');
    expect([rig.fatals, rig.closes.length]).toEqual([[], 1]);
    expect(rig.watch.status.contradiction).toContain('the stream shows odds prices');
    rig.show('lay');
    await rig.pass(30);
    expect(rig.hold).toBe(rig.watch.status.contradiction);
  });

  it('stops quoting if the exchange switches after its proof', () => {
    const rig = new Rig();
    rig.show('lay');
    rig.show('odds', 9);
    expect(rig.hold).toBeNull();
    rig.show('odds');
    expect(rig.hold).toContain('the stream shows odds prices, against the proof of before');
    expect([rig.fatals, rig.closes.length, rig.watch.prices.convention]).toEqual([[], 1, 'lay']);
  });
});

describe('a journal of the other convention', () => {
  it('has its orders closed first', async () => {
    const rig = new Rig({ recorded: { convention: 'lay', how: 'stream' }, open: 2 });
    rig.show('odds');
    await rig.pass(25);
    expect(rig.hold).toContain('from the time of lay prices');
    expect(rig.closes).toEqual(Array(3).fill('placed at lay prices'));
    expect(rig.written).toHaveLength(1);
    rig.open = 0;
    await rig.pass(11);
    expect(rig.hold).toBeNull();
    expect(rig.written.at(-1)).toEqual({ convention: 'odds', how: 'stream' });
  });

  it('waits until recovery knows what is open', async () => {
    const rig = new Rig({ configured: 'odds' });
    rig.open = null;
    await rig.pass(5);
    expect(rig.hold).toContain('from the time of lay prices');
    rig.open = 0;
    await rig.pass(1);
    expect([rig.hold, rig.written]).toEqual([null, [{ convention: 'odds', how: 'configured' }]]);
  });

  it('keeps bets as booked with which the exchange agrees', async () => {
    const rig = new Rig({ configured: 'odds', held: [MATCH], reading: 'as booked' });
    await rig.pass(2);
    expect([rig.asked, rig.hold, rig.reread]).toEqual([['1'], null, []]);
  });

  it('writes bets down anew that the exchange reads otherwise, and ends for another start', async () => {
    const rig = new Rig({ configured: 'odds', held: [MATCH], reading: 'read again' });
    await rig.pass(2);
    expect(rig.reread).toEqual([[[true, false, false, false], 'odds-against']]);
    expect(rig.fatals).toMatchObject([{ code: 'unavailable' }]);
    expect(rig.hold).not.toBeNull();
    expect(rig.written).toEqual([{ convention: 'odds', how: 'configured' }]);
  });

  it('refuses the start if the exchange agrees with neither reading', async () => {
    const rig = new Rig({ configured: 'odds', held: [MATCH], reading: null });
    await rig.pass(40);
    expect(rig.fatals).toEqual([]);
    await rig.pass(30);
    expect(rig.fatals).toEqual([expect.any(ConfigError)]);
    expect(String(rig.fatals[0])).toContain('Close the position by hand');
    expect([rig.hold === null, rig.written]).toEqual([false, []]);
  });
});

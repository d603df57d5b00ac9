import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { settle } from '../../src/app/adapters/virtual-clock.ts';
import type { StreamEntry, StreamSignal } from '../../src/domain/stream.ts';
import { Inbox } from '../../src/venue/stream/inbox.ts';
import { readEntry } from '../../src/venue/wire/frame.ts';
import { silentSurvey } from '../../src/venue/wire/survey.ts';
import { wireOffer, wireOrder } from './support/samples.ts';

const read = (raw: unknown): StreamEntry => readEntry(raw, silentSurvey) as StreamEntry;
const offer = (betType: string, max: number): StreamEntry => {
  const list = [{ effective: { price: 2, min: null, max: ['USDT', max] } }];
  return read(['offer', wireOffer({ bet_type: betType, price_list: list })]);
};
const order = (id: number): StreamEntry => read(['order', wireOrder({ order_id: id })]);

function rig() {
  const signals$ = new Subject<StreamSignal>();
  const inbox = new Inbox(signals$);
  const frame = (epoch: number, ...entries: StreamEntry[]): void => {
    signals$.next({ kind: 'frame', epoch, sentMs: null, receivedMonotonicMs: 0, entries });
  };
  return { signals$, inbox, frame };
}

async function take(inbox: Inbox, count: number): Promise<StreamEntry[]> {
  const taken: StreamEntry[] = [];
  for (let i = 0; i < count; i++) taken.push((await inbox.next()).value as StreamEntry);
  return taken;
}

describe('the inbox of a slow reader', () => {
  it('delivers account entries first and all of them, and the latest of each market', async () => {
    const { inbox, frame } = rig();
    for (let n = 1; n <= 1000; n++) frame(1, offer('for,h', n), offer('for,a', n), order(n % 3));
    expect(inbox.size).toBe(1002);
    const account = await take(inbox, 1000);
    expect(account.every(({ tag }) => tag === 'order')).toBe(true);
    expect(await take(inbox, 2)).toEqual([offer('for,h', 1000), offer('for,a', 1000)]);
    expect(inbox.size).toBe(0);
  });

  it('keeps the order of the latest entries', async () => {
    const { inbox, frame } = rig();
    frame(1, offer('for,h', 1), offer('for,a', 1), read(['clear_events', null]), offer('for,h', 2));
    frame(1, read(['remove_offer', { sport: 'fb', event_id: '2026-01-01,10,20', bet_type: 'for,h' }]));
    expect((await take(inbox, 2)).map(({ tag }) => tag)).toEqual(['clear_events', 'remove_offer']);
  });

  it('reports that an event was gone, and with it its offers, though it is back', async () => {
    const { inbox, frame } = rig();
    const event = read(['event', { sport: 'fb', event_id: '2026-01-01,10,20' }]);
    const removal = read(['remove_event', { sport: 'fb', event_id: '2026-01-01,10,20' }]);
    frame(1, event, offer('for,h', 1));
    expect(await take(inbox, 2)).toEqual([event, offer('for,h', 1)]);
    for (let n = 0; n < 3; n++) frame(1, removal, event, offer('for,a', n));
    expect(inbox.size).toBe(3);
    expect(await take(inbox, 3)).toEqual([removal, event, offer('for,a', 2)]);
  });

  it('forgets the market of an earlier connection, but nothing about the account', async () => {
    const { inbox, frame } = rig();
    frame(1, offer('for,h', 1), order(1));
    frame(2, offer('for,a', 2));
    expect(await take(inbox, 2)).toEqual([order(1), offer('for,a', 2)]);
  });

  it('waits for entries, and ends with the stream', async () => {
    const { inbox, frame, signals$ } = rig();
    const seen: string[] = [];
    const reading = (async () => {
      for await (const entry of inbox) seen.push(entry.tag);
    })();
    frame(1, order(1));
    await settle();
    frame(1, order(2));
    signals$.complete();
    await reading;
    expect(seen).toEqual(['order', 'order']);
  });

  it('ends when the key is refused and no connection will follow, but not while one will', async () => {
    const { inbox, frame, signals$ } = rig();
    frame(1, order(1));
    signals$.next({ kind: 'closed', epoch: 1, reason: 'closed without a reason', retryInMs: 500 });
    frame(2, order(2));
    signals$.next({ kind: 'closed', epoch: 2, reason: 'auth_rejected', retryInMs: null });
    expect(await take(inbox, 2)).toEqual([order(1), order(2)]);
    let isDone = false;
    void inbox.next().then((result) => (isDone = result.done === true));
    await settle();
    expect(isDone).toBe(true);
    expect(signals$.observed).toBe(false);
  });

  it('releases the stream when the reader leaves', async () => {
    const { inbox, frame, signals$ } = rig();
    frame(1, order(1), order(2));
    expect(await take(inbox, 1)).toEqual([order(1)]);
    expect(await inbox.return()).toEqual({ done: true, value: undefined });
    expect(signals$.observed).toBe(false);
    expect(inbox.size).toBe(0);
  });
});

describe('an entry that waits', () => {
  const name = { sport: 'fb', event_id: 'e' };
  const other = { sport: 'fb', event_id: 'f' };
  const otherSport = { sport: 'ih', event_id: 'e' };
  const slip = { betslip_id: 'b', bet_type: 'for,h', status: 'success', price_list: [] };
  const described = (tag: string, part: object = {}) =>
    [name, other, otherSport].map((each) => read([tag, { ...each, ...part }]));
  const market = (part: object) => read(['offer', wireOffer({ ...name, price_list: [], ...part })]);
  const removal = (part: object) => read(['remove_offer', { ...name, bet_type: 'for,h', ...part }]);

  /** Entries about different subjects: none takes the place of another. */
  const APART: readonly StreamEntry[] = [
    read(['clear_events', null]),
    read(['sync', {}]),
    ...described('event'),
    ...described('remove_event'),
    ...described('event_score', { score: [1, 0] }),
    ...described('event_red_cards', { score: [1, 0] }),
    ...described('event_time', { time: ['1h', 1] }),
    market({}),
    market({ bet_type: 'for,a' }),
    market({ event_id: 'f' }),
    market({ sport: 'ih' }),
    removal({ bet_type: 'against,h' }),
    ...['b', 'c'].map((id) => read(['pmm', { ...name, ...slip, betslip_id: id }])),
    ...['info', 'xrate'].map((tag) => read([tag, {}])),
  ];

  it('is replaced by a later one of its subject alone', async () => {
    const { inbox, frame } = rig();
    frame(1, ...APART);
    expect(inbox.size).toBe(APART.length);
    const later = APART.slice(1).map((entry) => structuredClone(entry));
    frame(1, ...later);
    expect(inbox.size).toBe(APART.length);
    const taken = await take(inbox, APART.length);
    expect(taken.map((entry) => entry === APART[0] || later.includes(entry))).not.toContain(false);
  });

  it('is an offer, or its removal, whichever came last', async () => {
    const { inbox, frame } = rig();
    frame(1, market({ bet_type: 'for,h' }), removal({}));
    expect(inbox.size).toBe(1);
    frame(1, market({ bet_type: 'for,h' }));
    expect(await take(inbox, 1)).toEqual([market({ bet_type: 'for,h' })]);
  });

  it('is never replaced if it is about the account', () => {
    const { inbox, frame } = rig();
    const account = [
      order(1),
      read(['bet', { bet_id: 1, order_id: 1 }]),
      read(['balance', { balance: ['USDT', 1] }]),
      read(['betslip', { betslip_id: 'b' }]),
      read(['betslip_closed', { betslip_id: 'b' }]),
    ];
    frame(1, ...account, ...account);
    frame(2);
    expect(inbox.size).toBe(10);
  });

  it('is dropped with the market if it waits when another connection begins, and not by the same one', () => {
    const { inbox, frame, signals$ } = rig();
    frame(1, market({}));
    signals$.next({ kind: 'open', epoch: 1 });
    expect(inbox.size).toBe(1);
    signals$.next({ kind: 'connecting', epoch: 2 });
    expect(inbox.size).toBe(0);
  });
});

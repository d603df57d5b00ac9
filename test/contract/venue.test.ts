import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VenueRejection } from '../../src/domain/errors.ts';
import * as ids from '../../src/domain/ids.ts';
import { mintApproval } from '../../src/domain/mint-approval.ts';
import type { PlaceOrder, VenueOrder } from '../../src/domain/orders.ts';
import { bestLevel } from '../../src/domain/price-list.ts';
import type { Offer, Quote, StreamEntry, StreamSignal } from '../../src/domain/stream.ts';
import { EVENT_ID, inProcessSubject, socketSubject, type VenueSubject } from './venue-subject.ts';
import { SELECTION_KINDS } from '../../src/domain/odds.ts';
import { directionOf } from '../../src/domain/selection.ts';

const FB = ids.sport('fb');
const EVENT = ids.eventId(EVENT_ID);
const FOR = ids.betType('for,h');
const AGAINST = ids.betType('against,h');

let uuids = 0;
const nextUuid = () => ids.requestUuid(`00000000-0000-4000-8000-${String(++uuids).padStart(12, '0')}`);

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'ok',
    (error: unknown) => (error instanceof VenueRejection ? error.code : String(error)),
  );

/** The contract of the Venue port, on an exchange that has one event with prices on its home win. */
function venueContract(name: string, create: () => Promise<VenueSubject>): void {
  describe(`Venue contract: ${name}`, () => {
    let subject: VenueSubject;
    let signals: StreamSignal[];

    beforeEach(async () => {
      subject = await create();
      signals = [];
    });
    afterEach(() => subject.stop());

    const entries = <T extends StreamEntry['tag']>(tag: T): Extract<StreamEntry, { tag: T }>[] =>
      signals
        .flatMap((signal) => (signal.kind === 'frame' ? signal.entries : []))
        .filter((entry): entry is Extract<StreamEntry, { tag: T }> => entry.tag === tag);
    const offersOf = (betType: string): Offer[] =>
      entries('offer').flatMap(({ offer }) => (offer.betType === betType ? [offer] : []));
    const quotes = (): Quote[] => entries('pmm').map(({ quote }) => quote);
    const kinds = (): string[] => signals.map(({ kind }) => kind);

    async function listen(): Promise<void> {
      subject.venue.stream$.subscribe((signal) => signals.push(signal));
      await subject.until(() => kinds().includes('synced'));
    }

    const slip = (betType = FOR) =>
      subject.run(subject.venue.createBetslip({ sport: FB, eventId: EVENT, betType }));

    async function place(part: Partial<PlaceOrder> = {}): Promise<VenueOrder> {
      const betType = part.betType ?? FOR;
      const betslipId = part.betslipId ?? (await slip(betType)).betslipId;
      const order: PlaceOrder = {
        requestUuid: nextUuid(),
        betslipId,
        sport: FB,
        eventId: EVENT,
        betType,
        priceKind: SELECTION_KINDS[directionOf(betType) ?? 'for'],
        price: 2.26,
        stakeMicros: 10_000_000,
        durationS: 15,
        ...part,
      };
      return subject.run(subject.venue.placeOrder(mintApproval(order)));
    }

    it('reads the account', async () => {
      const { venue, run } = subject;
      expect(await run(venue.balance())).toMatchObject({ balanceMicros: 10_000_000_000, openStakeMicros: 0 });
      expect(await run(venue.xrates())).toContainEqual({ ccy: 'USDT', rate: 1 });
    });

    it('lists events and offers', async () => {
      const { venue, run } = subject;
      const events = await run(venue.events({ sports: [FB] }));
      expect(events).toMatchObject({
        events: [{ eventId: EVENT, home: 'Home', away: 'Away', irStatus: 'pre_event' }],
        unread: 0,
      });
      const offers = await run(venue.offers({ sport: FB, eventIds: [EVENT] }));
      const best = Object.fromEntries(
        offers.map(({ betType, priceList }) => [
          betType,
          bestLevel(betType === FOR ? 'for' : 'against', priceList),
        ]),
      );
      expect(best).toMatchObject({ [FOR]: { price: 2.2 }, [AGAINST]: { price: 2.3 } });
    });

    it('looks up what a bet type pays', async () => {
      const info = await subject.run(subject.venue.betTypeInfo(FB, FOR));
      expect(info.grid).toHaveLength(20);
      expect([info.grid[1]?.[0], info.grid[0]?.[0]]).toEqual(['w', 'l']);
    });

    it('streams events, sync, and an event’s offers once it is registered', async () => {
      await listen();
      expect(kinds().slice(0, 2)).toEqual(['connecting', 'open']);
      expect(entries('event').map(({ event }) => event.eventId)).toEqual([EVENT]);
      expect(entries('offer')).toEqual([]);
      subject.venue.registerEvent(FB, EVENT);
      subject.venue.registerEvent(FB, EVENT);
      await subject.until(() => offersOf(FOR).length > 0 && offersOf(AGAINST).length > 0);
      expect(bestLevel('for', offersOf(FOR)[0]?.priceList ?? [])?.maxMicros).toBe(100_000_000);
    });

    it('distinguishes an unchanged offer from a changed one', async () => {
      await listen();
      subject.venue.registerEvent(FB, EVENT);
      await subject.until(() => offersOf(FOR).length > 0 && offersOf(AGAINST).length > 0);
      const [first, unchanged] = [offersOf(FOR)[0], offersOf(AGAINST)[0]];
      subject.host.run((nowMs) => {
        const home = { sport: 'fb', eventId: EVENT_ID, outcome: 'h' };
        subject.host.core.market.setLevel('crowd', home, 'against', 2.2, 150_000_000, nowMs);
      });
      const latestMax = (): number | undefined =>
        bestLevel('for', offersOf(FOR).at(-1)?.priceList ?? [])?.maxMicros;
      // The unchanged set may be repeated before the change is sent.
      await subject.until(() => latestMax() === 150_000_000);
      expect(offersOf(FOR).at(-1)).not.toBe(first);
      expect(offersOf(AGAINST).at(-1)).toEqual(unchanged);
    });

    it('reconnects after a lost connection, in a new epoch, with its registrations', async () => {
      await listen();
      subject.venue.registerEvent(FB, EVENT);
      await subject.until(() => entries('offer').length > 0);
      subject.host.dropStreams();
      await subject.until(() => signals.some(({ kind, epoch }) => kind === 'synced' && epoch === 2));
      await subject.until(() =>
        signals.some(
          (s) => s.kind === 'frame' && s.epoch === 2 && s.entries.some(({ tag }) => tag === 'offer'),
        ),
      );
      expect(kinds()).toContain('closed');
    });

    it('creates, quotes, refreshes and deletes betslips', async () => {
      const { venue, run } = subject;
      await listen();
      const made = await slip();
      expect(made).toMatchObject({ sport: FB, eventId: EVENT, betType: FOR, isOpen: true });
      expect(made.expiryMs).toBeGreaterThan(subject.clock.wallMs());
      await subject.until(() => quotes().some(({ betslipId }) => betslipId === made.betslipId));
      expect(quotes()[0]).toMatchObject({ betType: FOR, statusCode: 'success' });
      expect(bestLevel('for', quotes()[0]?.priceList ?? [])?.price).toBe(2.2);
      expect((await run(venue.betslip(made.betslipId))).priceList).not.toBeNull();
      await run(venue.refreshBetslip(made.betslipId));
      expect(await run(venue.openBetslips())).toEqual([made.betslipId]);
      await run(venue.deleteBetslip(made.betslipId));
      expect(await run(venue.openBetslips())).toEqual([]);
      const unknown = ids.betslipId('00000000000000000000000000000000');
      expect(await run(codeOf(venue.deleteBetslip(unknown)))).toBe('not_found');
    });

    it('refuses a betslip on a bet type that does not exist', async () => {
      const { venue, run } = subject;
      const request = { sport: FB, eventId: EVENT, betType: ids.betType('for,nonsense') };
      const error = await run(venue.createBetslip(request).catch((caught: unknown) => caught));
      expect(error).toMatchObject({
        code: 'validation_error',
        validation: { bet_type: ['invalid_bet_type'] },
      });
    });

    it('places, finds and closes an order', async () => {
      const { venue, run } = subject;
      await listen();
      const requestUuid = nextUuid();
      const placed = await place({ requestUuid, userData: 'tag' });
      expect(placed).toMatchObject({
        status: 'open',
        closed: false,
        wantPrice: 2.26,
        userData: 'tag',
        bets: [],
      });
      expect(placed).toMatchObject({ eventId: EVENT, betType: FOR, wantStakeMicros: 10_000_000 });
      expect(placed.expiryTimeMs).toBe((placed.placementTimeMs ?? 0) + 15_000);
      expect((await run(venue.trackedOrder(requestUuid))).orderId).toBe(placed.orderId);
      expect((await run(venue.order(placed.orderId))).orderId).toBe(placed.orderId);
      expect((await run(venue.orders({ statuses: ['open'] }))).orders.map((o) => o.orderId)).toEqual([
        placed.orderId,
      ]);
      await run(venue.closeOrder(placed.orderId));
      await subject.until(() => entries('order').some(({ order }) => order.closed));
      expect(entries('order').at(-1)?.order).toMatchObject({
        orderId: placed.orderId,
        closeReason: 'cancelled',
      });
      expect(await run(codeOf(venue.closeOrder(placed.orderId)))).toBe('order_closed');
    });

    it('fills a crossing order, and reports the fill', async () => {
      await listen();
      const placed = await place({ price: 2.2 });
      await subject.until(() => entries('order').some(({ order }) => order.closed));
      const done = await subject.run(subject.venue.order(placed.orderId));
      expect(done).toMatchObject({
        status: 'done',
        closeReason: 'order_filled',
        price: 2.2,
        stakeMicros: 10_000_000,
      });
      expect(done.bets).toMatchObject([{ gotPrice: 2.2, gotStakeMicros: 10_000_000, exchangeRole: 'taker' }]);
      expect(entries('bet').at(-1)?.bet).toMatchObject({ orderId: placed.orderId, statusCode: 'success' });
      const position = await subject.run(subject.venue.position({ sport: FB, eventId: EVENT }));
      expect(position.totals.get(FOR)).toMatchObject({ gotStakeMicros: 10_000_000, gotPrice: 2.2 });
      expect(position.payoffGridMicros?.[1]?.[0]).toBe(12_000_000);
    });

    it('creates one order for one request_uuid', async () => {
      const requestUuid = nextUuid();
      const { betslipId } = await slip();
      const first = await place({ requestUuid, betslipId });
      const again = await place({ requestUuid, betslipId }).catch((error: unknown) => error);
      expect(again).toMatchObject({ code: 'order_already_created', orderId: first.orderId });
    });

    it('does not know a uuid that was never used', async () => {
      expect(await subject.run(codeOf(subject.venue.trackedOrder(nextUuid())))).toBe('not_found');
    });

    it('sends nothing when beforeSend throws', async () => {
      const { venue, run } = subject;
      const { betslipId } = await slip();
      const order = mintApproval<PlaceOrder>({
        requestUuid: nextUuid(),
        betslipId,
        sport: FB,
        eventId: EVENT,
        betType: FOR,
        priceKind: 'odds-for',
        price: 2.26,
        stakeMicros: 10_000_000,
        durationS: 15,
      });
      const refusal = new Error('not now');
      const beforeSend = (): void => {
        throw refusal;
      };
      expect(await run(venue.placeOrder(order, { beforeSend }).catch((error: unknown) => error))).toBe(
        refusal,
      );
      expect(await run(venue.orders({}))).toEqual({ orders: [], unread: [] });
    });

    it('closes the named orders, and reports those that there was nothing to close of', async () => {
      const { venue, run } = subject;
      await listen();
      const { betslipId } = await slip();
      const placed = [];
      for (const price of [2.26, 2.28, 2.3, 2.32]) placed.push((await place({ betslipId, price })).orderId);
      const [over, one, two, other] = placed as [ids.OrderId, ids.OrderId, ids.OrderId, ids.OrderId];
      const closed = () => entries('order').flatMap(({ order }) => (order.closed ? [order.orderId] : []));
      await run(venue.closeOrder(over));
      await subject.until(() => closed().includes(over));
      const unknown = ids.orderId(999_999_999);
      const answer = await run(venue.closeMany([over, one, two, unknown]));
      expect([new Set(answer.closed), new Set(answer.notFound)]).toEqual([
        new Set([one, two]),
        new Set([over, unknown]),
      ]);
      await subject.until(() => closed().includes(one) && closed().includes(two));
      const open = await run(venue.orders({ statuses: ['open'] }));
      expect(open.orders.map(({ orderId }) => orderId)).toEqual([other]);
      expect(await run(codeOf(venue.closeMany([])))).toBe('validation_error');
    });

    it('closes everything at once', async () => {
      const { betslipId } = await slip();
      const [one, two] = [await place({ betslipId }), await place({ betslipId, price: 2.28 })];
      const closed = await subject.run(subject.venue.closeAll());
      expect([...closed].sort()).toEqual([one.orderId, two.orderId].sort());
      expect(await subject.run(subject.venue.closeAll())).toEqual([]);
    });

    it('keeps heartbeats, and an expired one closes the orders', async () => {
      const { venue, run } = subject;
      const placed = await place();
      const kept = await run(venue.createHeartbeat(60));
      const dying = await run(venue.createHeartbeat(1));
      expect((await run(venue.heartbeats())).map((h) => h.heartbeatId).sort()).toEqual(
        [kept.heartbeatId, dying.heartbeatId].sort(),
      );
      expect((await run(venue.refreshHeartbeat(kept.heartbeatId))).heartbeatId).toBe(kept.heartbeatId);
      await run(venue.deleteHeartbeat(kept.heartbeatId));
      expect(await run(codeOf(venue.refreshHeartbeat(kept.heartbeatId)))).toBe('not_found');
      const expiryMs = dying.expiryMs ?? 0;
      await subject.until(() => subject.clock.wallMs() > expiryMs + 300);
      expect(await run(venue.order(placed.orderId))).toMatchObject({ closed: true });
      expect(await run(codeOf(venue.createHeartbeat(301)))).toBe('validation_error');
    });

    it('refuses update windows that are too recent or too long', async () => {
      const nowMs = subject.clock.wallMs();
      const recent = await subject.run(
        subject.venue.orderUpdates(nowMs - 120_000, nowMs).catch((e: unknown) => e),
      );
      expect(recent).toMatchObject({ validation: { updated_at_to: ['updated_at_to too recent'] } });
      const long = subject.venue.orderUpdates(nowMs - 5 * 3_600_000, nowMs - 61_000);
      expect(await subject.run(codeOf(long))).toBe('validation_error');
      const right = subject.venue.orderUpdates(nowMs - 60 * 60_000, nowMs - 61_000);
      expect(await subject.run(right)).toEqual({ orders: [], unread: [] });
    });

    it('is never throttled, and reports the remaining budget', async () => {
      const before = subject.venue.budgets();
      expect(subject.venue.waitMs('betslips', 'normal')).toBeLessThan(1_000);
      const { betslipId } = await slip();
      for (let i = 0; i < 8; i++) await place({ betslipId, price: 2.26 });
      const after = subject.venue.budgets();
      expect(after.betslipsToday).toBe(before.betslipsToday - 1);
      expect(after.ordersNow).toBeLessThan(4);
      expect(subject.venue.throttledCount).toBe(0);
    });

    it('completes its stream when it is closed', async () => {
      await listen();
      const state = { completed: false };
      subject.venue.stream$.subscribe({ complete: () => (state.completed = true) });
      await subject.venue.close();
      expect(state.completed).toBe(true);
      await subject.until(() => subject.host.openStreams === 0);
    });
  });
}

venueContract('the client, with the exchange in process', inProcessSubject);
venueContract('the client, over sockets', socketSubject);

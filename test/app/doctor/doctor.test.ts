import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { randomIds } from '../../../src/app/adapters/this-machine.ts';
import { systemClock } from '../../../src/app/adapters/system-clock.ts';
import { loadConfig } from '../../../src/app/config/load.ts';
import { type CapsKnown, capsKnownTo } from '../../../src/app/doctor/caps.ts';
import {
  doctorRequests,
  examine,
  examineConfig,
  examineJournal,
  type Finding,
} from '../../../src/app/doctor/doctor.ts';
import type { RunningDaemon } from '../../../src/app/doctor/lock.ts';
import { connect, type ConnectOptions, type ExchangeClient, ids } from '../../../src/app/exchange/connect.ts';
import { claimJournal } from '../../../src/app/journal/journal-mode.ts';
import { LIMITS, type RememberedLimits } from '../../../src/app/journal/limits-memory.ts';
import { entryOf } from '../../../src/orders/journal/records.ts';
import type { Json } from '../../../src/ports/journal.ts';
import { silentLogger } from '../../../src/ports/logger.ts';
import type { Exchange } from '../../../src/simulator/core/exchange.ts';
import { type RunningSimulator, startSimulator } from '../../../src/simulator/server/start-simulator.ts';
import { openSqliteJournal } from '../../../src/storage/sqlite-journal.ts';
import { collect } from '../../../src/venue/rest/pagers.ts';
import { EVENT_ID, exchangeWithMarket, SUBJECT_KEY } from '../../contract/venue-subject.ts';
import { temporaryFolder } from '../../support/exchange.ts';
import { hurriedClock } from '../../support/hurried-clock.ts';
import { placeOrder } from '../../venue/support/samples.ts';

const clock = hurriedClock();

let core: Exchange;
let simulator: RunningSimulator;
let exchange: ExchangeClient;

const connected = (options: Partial<ConnectOptions> = {}): ExchangeClient =>
  connect({ baseUrl: simulator.rest, apiKey: SUBJECT_KEY, clock, retry: { firstMs: 1 }, ...options });

async function serve(settings: Parameters<typeof exchangeWithMarket>[1] = {}): Promise<void> {
  core = exchangeWithMarket(clock, settings);
  simulator = await startSimulator({ core, clock, logger: silentLogger, port: 0 });
  exchange = connected();
}
beforeEach(() => serve());
afterEach(async () => {
  await exchange.close();
  await simulator.close();
});

const NOTHING: CapsKnown = {
  openBetslips: 9,
  perDay: 1_980,
  dailyReserve: 50,
  paperShare: null,
  remembered: null,
  betslipsAtMs: null,
};

const DAEMON = { who: 'the daemon, process 7' };

const findings = (
  known = NOTHING,
  probe = false,
  client = exchange,
  daemon: RunningDaemon | null = null,
): Promise<readonly Finding[]> =>
  collect(
    examine(client, clock, { known, daemon, probe, actsOnAccount: true, takeSignals: () => () => undefined }),
  );

async function finding(check: string, known = NOTHING, probe = false): Promise<Finding | undefined> {
  return (await findings(known, probe)).find((each) => each.check === check);
}

const HOME_WIN = { sport: ids.sport('fb'), eventId: ids.eventId(EVENT_ID), betType: ids.betType('for,h') };

const CHECKS = 'key balance stream clock heartbeat betslips day events rates'.split(' ');

describe('the doctor', () => {
  it('finds a healthy account healthy, and leaves nothing behind', async () => {
    const found = await findings(NOTHING, true);
    expect(found.map(({ check, ok }) => [check, ok])).toEqual(CHECKS.map((check) => [check, true]));
    const account = core.inspect().accounts[0];
    expect(account).toMatchObject({ heartbeats: [], openBetslips: 0 });
    expect(await exchange.registeredEvents()).toEqual([]);
  });

  it.each([false, true])('sends only the requests that it needs, with probe %s', async (probe) => {
    const requests = doctorRequests({ probe });
    await using client = connected({ requests });
    const sent = vi.spyOn(core, 'request');
    const found = await findings(NOTHING, probe, client);
    expect(found.filter(({ ok }) => !ok)).toEqual([]);
    const made = sent.mock.calls.map(([{ method, target }]) => `${method} ${target.split('?')[0]}`);
    const isMade = (pattern: string): boolean =>
      made.some((name) => new RegExp(`^${pattern.replace(/\{.*\}/, '[^/]+')}$`).test(name));
    expect(requests.filter((pattern) => !isMade(pattern))).toEqual([]);
  });

  it.each(['place', 'close', 'delete a betslip'])('cannot %s', async (what) => {
    const requests = doctorRequests({ probe: true });
    const retry = { attempts: 1 };
    await using client = connected({ requests, retry });
    const { betslipId } = await exchange.betslips.create(HOME_WIN);
    const sent = vi.spyOn(core, 'request');
    const acts: Readonly<Record<string, () => Promise<unknown>>> = {
      place: () => client.orders.place(placeOrder({ betslipId })),
      close: () => client.orders.close(ids.orderId(1)),
      'delete a betslip': () => client.betslips.delete(betslipId),
    };
    await expect(acts[what]?.()).rejects.toMatchObject({ code: 'transport', outcome: 'not-sent' });
    expect(sent).not.toHaveBeenCalled();
  });

  it('stops at a refused key, and says what to do', async () => {
    await using stranger = connected({ apiKey: 'somebody-else' });
    const found = await findings(NOTHING, false, stranger);
    expect(found).toMatchObject([{ check: 'key', ok: false, error: { code: 'auth_error' } }]);
    expect(found[0]?.advice).toMatch(
      /the file that exchange\.apiKeyFile names, else into TOUCHLINE_API_KEY$/,
    );
    expect(found[0]?.advice).toContain('TOUCHLINE_API_KEY');
  });

  it('stops when there is no exchange', async () => {
    await simulator.close();
    expect(await findings()).toMatchObject([{ check: 'key', ok: false, error: { outcome: 'not-sent' } }]);
  });
});

/** The time of a daemon’s record: noon. */
const AT_MS = Date.parse('2026-03-01T12:00:00Z');
const remembered = (part: Partial<RememberedLimits>): CapsKnown['remembered'] => ({
  budgets: {},
  registeredEvents: null,
  openBetslips: { cap: 9, learned: false },
  throttled: 0,
  ended: true,
  atMs: AT_MS,
  seq: 1,
  ...part,
});

describe('the caps that the doctor reports', () => {
  it('are assumed when nothing has shown them', async () => {
    const found = await findings();
    const byCheck = Object.fromEntries(found.map(({ check, found: text }) => [check, text]));
    expect(byCheck['betslips']).toBe(
      '0 open; cap 9, assumed (orders.openBetslips): no refusal has shown the cap',
    );
    expect(byCheck['day']).toBe('1980 left, assumed: there is no journal to count by');
    expect(byCheck['events']).toMatch(/^no cap met, none assumed .*; 0 registered here$/);
    expect(byCheck['rates']).toContain('orders 4.9/s, betslips 9.8/s');
    expect(byCheck['rates']).toContain('assumed');
  });

  it('are those that refusals taught, with the time', async () => {
    const known = remembered({ registeredEvents: 40, openBetslips: { cap: 7, learned: true }, throttled: 2 });
    const found = await findings({ ...NOTHING, remembered: known, betslipsAtMs: [AT_MS] });
    const byCheck = Object.fromEntries(found.map(({ check, found: text }) => [check, text]));
    expect(byCheck['betslips']).toBe(
      '0 open; cap 7, learned from the exchange, written down 2026-03-01T12:00:00Z',
    );
    expect(byCheck['day']).toMatch(/^1979 of 1980 left by the journal/);
    expect(byCheck['events']).toMatch(/^cap 40, learned from a refusal, written down 2026-03-01T12:00:00Z/);
    expect(byCheck['rates']).toContain('2 answers 429');
  });

  it('are assumed if an earlier run wrote down another cap that it had only assumed', async () => {
    const known = remembered({ openBetslips: { cap: 7, learned: false } });
    expect(await finding('betslips', { ...NOTHING, remembered: known })).toMatchObject({
      found: '0 open; cap 9, assumed (orders.openBetslips): no refusal has shown the cap',
    });
  });

  it('fail when all open betslips are in use', async () => {
    await exchange.betslips.create(HOME_WIN);
    expect(await finding('betslips', { ...NOTHING, openBetslips: 1 })).toMatchObject({
      ok: false,
      found: expect.stringMatching(/^1 open; cap 1, assumed/) as string,
      advice: expect.stringContaining('delete') as string,
    });
  });

  it('do not fail for what a running daemon uses', async () => {
    await exchange.betslips.create(HOME_WIN);
    const betslipsAtMs = Array.from({ length: 1_950 }, (_, i) => AT_MS + i);
    const known = { ...NOTHING, openBetslips: 1, betslipsAtMs };
    const beside = await findings(known, false, exchange, DAEMON);
    expect(beside.filter(({ ok }) => !ok)).toEqual([]);
    const byCheck = Object.fromEntries(beside.map(({ check, found }) => [check, found]));
    expect(byCheck['betslips']).toMatch(/^1 open; cap 1, .*; the running daemon uses them$/);
    expect(byCheck['day']).toMatch(/^30 of 1980 left .* comes free at 2026-03-02T12:00:00Z$/);
  });

  it('fail when all betslips of the day are in use', async () => {
    const betslipsAtMs = Array.from({ length: 1_950 }, (_, i) => AT_MS + i);
    expect(await finding('day', { ...NOTHING, betslipsAtMs })).toMatchObject({
      ok: false,
      found:
        '30 of 1980 left by the journal; what other programs made is not in it; the next comes free at 2026-03-02T12:00:00Z',
    });
  });

  it('of the day are the share of a paper run with real betslips, and say what they cost', async () => {
    const known = { ...NOTHING, openBetslips: 2, perDay: 495, paperShare: 0.25, betslipsAtMs: [AT_MS] };
    expect((await finding('day', known))?.found).toBe(
      '494 of 495 left by the journal; what other programs made is not in it\npaper.betslips = "real" takes up to 495 of the account\'s 1980 betslips a day, 2 of them open at a time (paper.share = 0.25)',
    );
    const options = { known, daemon: null, probe: false, takeSignals: () => () => undefined };
    const onPaper = await collect(examine(exchange, clock, { ...options, actsOnAccount: false }));
    expect(onPaper.map(({ check }) => check)).toEqual(['key', 'stream', 'clock', 'day', 'events', 'rates']);
  });

  it('of the day never exceed the configured number', async () => {
    const betslipsAtMs = Array.from({ length: 450 }, (_, i) => AT_MS + i);
    expect(await finding('day', { ...NOTHING, perDay: 500, betslipsAtMs })).toMatchObject({
      ok: false,
      found: expect.stringMatching(/^50 of 500 left/) as string,
    });
  });

  it.each([
    [29, true],
    [30, false],
  ])('of the day leave the configured reserve: %i', async (dailyReserve, ok) => {
    const betslipsAtMs = Array.from({ length: 1_950 }, (_, i) => AT_MS + i);
    expect(await finding('day', { ...NOTHING, dailyReserve, betslipsAtMs })).toMatchObject({ ok });
  });

  it('are probed on request, and the probe’s betslips are deleted', async () => {
    await exchange.close();
    await simulator.close();
    await serve({ registeredEventCap: 3 });
    for (let n = 0; n < 6; n++) addEvent(n);
    expect(await finding('events', NOTHING, true)).toMatchObject({
      ok: true,
      found: 'tried: cap 3, the next one was refused; 0 registered here',
    });
    expect(await exchange.registeredEvents()).toEqual([]);
  });

  it('are not reached by probing when the exchange accepts every event', async () => {
    expect(await finding('events', NOTHING, true)).toMatchObject({
      found: 'tried: 1 event registered and no cap met; 0 registered here',
    });
  });
});

function addEvent(n: number): void {
  const nowMs = systemClock.wallMs();
  const eventId = `2026-03-01,${100 + n},${200 + n}`;
  core.market.putEvent(
    {
      sport: 'fb',
      eventId,
      eventType: 'normal',
      eventName: 'Home v Away',
      competitionId: 7,
      competitionName: 'League',
      competitionCountry: 'GB',
      home: 'Home',
      away: 'Away',
      homeId: 100 + n,
      awayId: 200 + n,
      teams: [],
      startTimeMs: nowMs + 3_600_000,
      endTimeMs: null,
    },
    nowMs,
  );
  const outcome = { sport: 'fb', eventId, outcome: 'h' };
  core.market.setLevel('crowd', outcome, 'against', 2.2, 100_000_000, nowMs);
}

describe('the configuration, as the doctor reports it', () => {
  const examined = (settings: Readonly<Record<string, string>>): Promise<Finding> =>
    examineConfig(loadConfig({ files: [], environment: {}, settings }));

  it('passes when it suits the configured exchange', async () => {
    expect(await examined({ 'exchange.restUrl': 'http://x/v2/' })).toMatchObject({
      ok: true,
      found: 'http://x/v2/',
    });
  });

  it.each([
    [{ 'risk.order.maxStakeUsdt': '-5' }, '--set: risk.order.maxStakeUsdt: is -5: expected number to be >0'],
    [{ 'risk.bogus.x': '1' }, '--set: risk.bogus: is not a known limit'],
    [{ 'strategy.name': 'nosuch' }, '--set: strategy.name: strategy "nosuch" is neither bundled'],
    [{ mode: 'live' }, 'risk.gross.accountUsdt: is missing'],
  ])('fails when a start would refuse %j', async (settings, complaint) => {
    expect(await examined(settings)).toMatchObject({
      check: 'config',
      ok: false,
      error: { code: 'config' },
      found: expect.stringContaining(complaint) as string,
      advice: expect.stringContaining('78') as string,
    });
  });
});

describe('the caps that a journal reveals', () => {
  const folder = temporaryFolder();
  const configWith = (path: string) =>
    loadConfig({
      files: [],
      environment: {},
      settings: { 'journal.path': path, 'orders.openBetslips': '12' },
    }).values;

  it('are unknown where there is no journal', () => {
    expect(capsKnownTo(configWith(''), systemClock)).toEqual({ ...NOTHING, openBetslips: 12 });
    expect(capsKnownTo(configWith(join(folder.path, 'none')), systemClock)).toEqual({
      ...NOTHING,
      openBetslips: 12,
    });
  });

  it('are the share of a paper run, if its betslips are real', () => {
    const known = (betslips: string) =>
      capsKnownTo(
        loadConfig({
          files: [],
          environment: {},
          settings: { mode: 'paper', 'paper.betslips': betslips, 'paper.share': '0.5' },
        }).values,
        systemClock,
      );
    expect(known('embedded')).toEqual(NOTHING);
    const share = { openBetslips: 4, perDay: 990, dailyReserve: 25, paperShare: 0.5 };
    expect(known('real')).toEqual({ ...NOTHING, ...share });
  });

  it('are read while a daemon writes the journal', () => {
    const path = join(folder.path, 'journal.sqlite');
    const journal = openSqliteJournal(path, systemClock);
    const { atMs: _at, seq: _seq, ...data } = remembered({ registeredEvents: 5 }) ?? { atMs: 0, seq: 0 };
    journal.append([
      entryOf({ kind: 'betslip_requested', betType: 'for,h', eventId: EVENT_ID }),
      { kind: LIMITS, uuid: null, data: data as object as Json },
    ]);
    const known = capsKnownTo(configWith(path), systemClock);
    expect(known).toMatchObject({ openBetslips: 12, remembered: { registeredEvents: 5, seq: 2 } });
    expect(known.betslipsAtMs).toHaveLength(1);
    journal.close();
  });

  it('are of one mode', async () => {
    const config = configWith(join(folder.path, 'begun.sqlite'));
    expect(await examineJournal(config, systemClock)).toMatchObject({
      ok: true,
      found: expect.stringContaining('none yet') as string,
    });
    const journal = openSqliteJournal(config.journal.path, systemClock);
    claimJournal(journal, config, randomIds);
    journal.close();
    expect(await examineJournal(config, systemClock)).toMatchObject({
      ok: true,
      found: expect.stringMatching(/^2 records in /) as string,
    });
    expect(await examineJournal({ ...config, mode: 'live' }, systemClock)).toMatchObject({
      ok: false,
      found: expect.stringContaining('was begun with mode = "simulated"') as string,
    });
  });

  it('are unknown where the journal cannot be read, which is itself a finding', async () => {
    const path = folder.file('junk.sqlite', 'this is no journal at all, but long enough to be looked at');
    expect(capsKnownTo(configWith(path), systemClock)).toEqual({ ...NOTHING, openBetslips: 12 });
    expect(await examineJournal(configWith(path), systemClock)).toMatchObject({
      check: 'journal',
      ok: false,
      found: expect.stringContaining(path) as string,
      advice: expect.stringContaining('78') as string,
    });
    folder.remove();
  });
});

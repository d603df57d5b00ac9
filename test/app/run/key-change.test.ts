import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../../src/app/adapters/virtual-clock.ts';
import { KeyChange, type KeyProbe } from '../../../src/app/run/key-change.ts';
import { ConfigError, JournalError, TransportError, VenueRejection } from '../../../src/domain/errors.ts';
import { betType, heartbeatId, orderId, requestUuid } from '../../../src/domain/ids.ts';
import { KeyInForce, Secret } from '../../../src/domain/secret.ts';
import type { KnownAccount } from '../../../src/orders/journal/account-identity.ts';
import { createPrometheusMetrics } from '../../../src/ops/metrics.ts';
import type { JournalEntry } from '../../../src/ports/journal.ts';
import { type Logger, silentLogger } from '../../../src/ports/logger.ts';

const [OLD, NEW] = ['old-key-canary', 'new-key-canary'];
const HEARTBEAT = heartbeatId('hb-ours');

const ACCOUNT: KnownAccount = {
  orders: [
    {
      orderId: orderId(7),
      uuid: requestUuid('u'),
      betType: betType('for,h'),
      placedMs: null,
      keptUntilMs: Infinity,
    },
  ],
  heartbeats: new Set([HEARTBEAT]),
  covered: null,
};

const notFound = (): VenueRejection => new VenueRejection('not_found', 404, 'not found');

/** What a good key of the same account shows. */
const GOOD: Pick<KeyProbe, 'xrates' | 'heartbeats' | 'orders' | 'order' | 'deleteBetslip'> = {
  xrates: async () => [],
  heartbeats: async () => [{ heartbeatId: HEARTBEAT, expiryMs: null }],
  orders: async () => ({ orders: [], unread: [] }),
  order: async () => Promise.reject(notFound()),
  deleteBetslip: async () => Promise.reject(notFound()),
};

interface Bench {
  readonly text?: () => string;
  readonly shows?: Partial<typeof GOOD>;
  readonly account?: KnownAccount;
  readonly append?: (entries: readonly JournalEntry[]) => void;
}

function bench({ text = () => NEW, shows = {}, account = ACCOUNT, append }: Bench = {}) {
  const said: string[] = [];
  const seen = { replaced: [] as string[], probed: [] as string[], closed: 0, journal: [] as JournalEntry[] };
  const say =
    (level: string) =>
    (message: string, fields: object = {}): void =>
      void said.push(`${level} ${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { ...silentLogger, info: say('info'), error: say('error') };
  const metrics = createPrometheusMetrics({ processMetrics: false });
  const inForce = new KeyInForce(new Secret(OLD));
  const keyChange = new KeyChange({
    inForce,
    logger,
    metrics,
    clock: new VirtualClock(),
    ids: { uuid: () => 'no-such-betslip' },
    read: () => new Secret(text()),
    probe: (key) => {
      seen.probed.push(key.reveal());
      return { ...GOOD, ...shows, close: async () => void seen.closed++ };
    },
    account: () => account,
    onReplaced: (key) => {
      // Whoever is told may use it at once.
      expect(inForce.key.reveal()).toBe(key.reveal());
      seen.replaced.push(key.reveal());
    },
    journal: { append: append ?? ((entries) => void seen.journal.push(...entries)) },
  });
  return { keyChange, inForce, seen, said, metrics };
}

describe('another key', () => {
  it('is used once it was tried, and recorded without the key', async () => {
    const { keyChange, inForce, seen, said, metrics } = bench();
    expect(await keyChange.change('SIGHUP')).toBe('changed');
    expect(inForce.key.reveal()).toBe(NEW);
    expect(seen).toMatchObject({ replaced: [NEW], probed: [NEW], closed: 1 });
    expect(seen.journal).toEqual([{ kind: 'key_changed', uuid: null, data: { by: 'SIGHUP' } }]);
    expect(said).toEqual(['info the API key was changed {"by":"SIGHUP"}']);
    expect(await keyChange.change('SIGHUP')).toBe('unchanged');
    expect((await metrics.expose()).text).toContain('touchline_key_changes_total{result="changed"} 1');
  });

  it('that is the same as before is not tried', async () => {
    const { keyChange, seen, said } = bench({ text: () => OLD });
    expect(await keyChange.change('SIGHUP')).toBe('unchanged');
    expect([seen.probed, said]).toEqual([[], []]);
  });

  it.each<[what: string, ids: readonly string[], result: string]>([
    ['ours alone', ['hb-ours'], 'changed'],
    ['ours first', ['hb-ours', 'hb-else'], 'changed'],
    ['ours last', ['hb-else', 'hb-more', 'hb-ours'], 'changed'],
    ['others alone', ['hb-else', 'hb-more'], 'refused'],
    ['none', [], 'refused'],
  ])('proves the account by a heartbeat, wherever it is listed: %s', async (_, ids, result) => {
    const heartbeats = async () => ids.map((id) => ({ heartbeatId: heartbeatId(id), expiryMs: null }));
    const account = { ...ACCOUNT, orders: [] };
    const { keyChange, seen } = bench({ shows: { heartbeats }, account });
    expect(await keyChange.change('SIGHUP')).toBe(result);
    expect(seen.replaced).toEqual(result === 'changed' ? [NEW] : []);
  });

  const rejected = (status: number, code: string) => async () =>
    Promise.reject(new VenueRejection(code, status, code));
  const NOTHING = { heartbeats: async () => [] };
  it.each<[string, Bench, string]>([
    [
      'the exchange refuses',
      { shows: { xrates: rejected(401, 'auth_error') } },
      'the exchange refuses it (auth_error)',
    ],
    [
      'may not act',
      { shows: { deleteBetslip: rejected(403, 'forbidden') } },
      'it may not place or close orders',
    ],
    [
      'meets an exchange that refuses for another reason',
      { shows: { xrates: rejected(403, 'forbidden') } },
      'The old one stays in use',
    ],
    [
      'meets an exchange that is busy',
      { shows: { xrates: rejected(429, 'throttled') } },
      'the API key was not changed: throttled',
    ],
    ['meets a failing exchange', { shows: { deleteBetslip: rejected(500, 'server_error') } }, 'server_error'],
    [
      'meets no exchange',
      { shows: { xrates: async () => Promise.reject(new TransportError('unknown', 'no answer')) } },
      'no answer',
    ],
    [
      'opens another account',
      { shows: NOTHING },
      'it opens another account: the exchange knows none of its last orders (7)',
    ],
    [
      'shows nothing of the account',
      { shows: NOTHING, account: { ...ACCOUNT, orders: [] } },
      'nothing shows that it opens the same account',
    ],
    [
      'cannot be read',
      {
        text: () => {
          throw new ConfigError('exchange.apiKeyFile = "/k": cannot be read (ENOENT)');
        },
      },
      'cannot be read (ENOENT)',
    ],
  ])('that %s leaves the old one in use, and the log says why', async (_, given, why) => {
    const { keyChange, inForce, seen, said, metrics } = bench(given);
    expect(await keyChange.change('SIGHUP')).toBe('refused');
    expect(inForce.key.reveal()).toBe(OLD);
    expect([seen.replaced, seen.journal, seen.closed]).toEqual([[], [], seen.probed.length]);
    expect(said).toHaveLength(1);
    expect(said[0]).toContain('error the API key was not changed: ');
    expect(said[0]).toContain(why);
    expect(said[0]).not.toContain('canary');
    expect((await metrics.expose()).text).toContain('touchline_key_changes_total{result="refused"} 1');
  });

  it('is not said to be refused where the exchange answers anything but 401', async () => {
    for (const status of [400, 403, 404, 429, 500, 503]) {
      const { keyChange, said } = bench({ shows: { xrates: rejected(status, 'some_code') } });
      expect(await keyChange.change('SIGHUP')).toBe('refused');
      expect(said[0]).not.toContain('the exchange refuses it');
    }
  });

  it('of the same account is known by an order of ours, too', async () => {
    const order = { orderId: orderId(7), betType: betType('for,h'), userData: null, placementTimeMs: null };
    const shows = { ...NOTHING, order: async () => order as Awaited<ReturnType<KeyProbe['order']>> };
    expect(await bench({ shows }).keyChange.change('SIGHUP')).toBe('changed');
  });

  it('is used also while the journal fails: orders must be closed', async () => {
    const append = (): never => {
      throw new JournalError('the disk is full');
    };
    const { keyChange, inForce } = bench({ append });
    expect(await keyChange.change('SIGHUP')).toBe('changed');
    expect(inForce.key.reveal()).toBe(NEW);
  });

  it('is tried after the one before it', async () => {
    const gate = Promise.withResolvers<void>();
    const keys = ['second-key-canary', 'third-key-canary'];
    const { keyChange, inForce, seen } = bench({
      text: () => keys.shift() ?? OLD,
      shows: { xrates: async () => (await gate.promise, []) },
    });
    const [first, second] = [keyChange.change('a'), keyChange.change('b')];
    await Promise.resolve();
    expect(seen.probed).toEqual(['second-key-canary']);
    gate.resolve();
    expect(await Promise.all([first, second])).toEqual(['changed', 'changed']);
    expect(inForce.key.reveal()).toBe('third-key-canary');
  });
});

/** A daemon beside an exchange of its own, for the benches that measure the whole daemon. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stringify } from 'smol-toml';
import { notedTokens } from '../src/app/admin/rendezvous.ts';
import { strongestToken } from '../src/app/admin/tokens.ts';
import { diskFolder } from '../src/app/record/disk-folder.ts';
import { RecordingReader } from '../src/recording/reader.ts';
import { MODERATE } from '../src/risk/limits/sections.ts';
import { type Child, startChild } from '../scripts/soak/child.ts';
import { BALANCE_USDT, daemonSettings, NO_LOSS_LIMITS } from '../scripts/soak/settings.ts';

const EXCHANGE = new URL('../scripts/soak/exchange-process.ts', import.meta.url).pathname;
const MAIN = new URL('../src/cli/main.ts', import.meta.url).pathname;
/** The program as it is installed; `npm run package` builds it. */
const PACKAGED = new URL('../dist/package/lib/main.js', import.meta.url).pathname;
/** As `bin/touchline`, the unit and the image start a daemon. */
const YOUNG_HALF = '--max-semi-space-size=4';
const FEW_ARENAS = { MALLOC_ARENA_MAX: '2' };
const KEY = 'bench-key';
const nothing = (): void => undefined;

/** Where a daemon serves. */
export interface Place {
  readonly metrics: string;
  readonly admin: string;
  readonly token: string;
}

/** The time from a request for an order to its answer. */
export interface OrderTime {
  /** When the request left, wall-clock milliseconds. */
  readonly atMs: number;
  readonly tookMs: number;
}

export interface BenchOptions {
  /** Quotes so many selections of every market type, those of the load's events, too. Without it, those of the modelled market alone. */
  readonly selections?: number;
  /** The events of the load; all without it. */
  readonly loadEvents?: number;
  /** The life of each order, in seconds; that of the soak without it. */
  readonly orderLifeS?: number;
  /** Whether the daemon records; it does unless told otherwise. */
  readonly isRecording?: boolean;
  /** Whether the daemon is on paper: its orders stay in its process, under three fill models. */
  readonly isPaper?: boolean;
  /** Runs the packaged program, which must have been built, instead of the source. */
  readonly isPackaged?: boolean;
}

/** The settings of the soak, as the options change them. */
function settingsOf({ selections, orderLifeS }: BenchOptions, ofSoak: string): string {
  const withLife =
    orderLifeS === undefined ? ofSoak : ofSoak.replace(/^durationS.*$/m, `durationS = ${orderLifeS}`);
  if (selections === undefined) return withLife;
  return withLife
    .replace(/^marketTypes.*$/m, '')
    .replace(/^maxSelections.*$/m, `maxSelections = ${selections}`);
}

/** The settings of paper beside the others: all of the account's limits, and the limits on risk that a run on the embedded exchange has by itself. */
const ON_PAPER = `mode = "paper"
[paper]
balanceUsdt = ${BALANCE_USDT}
share = 1
registeredEvents = 1000
${stringify({ risk: { ...MODERATE, loss: NO_LOSS_LIMITS } })}`;

/** Runs the exchange and the daemon until `end`. */
export class BenchDaemon {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'touchline-bench-'));
  readonly #children: Child[] = [];

  /** Resolves when the first order is live. */
  async start(options: BenchOptions): Promise<Place> {
    const { loadEvents, isRecording = true, isPaper = false, isPackaged = false } = options;
    const load = loadEvents === undefined ? [] : [String(loadEvents)];
    const { rest, stream } = await this.#run([EXCHANGE, KEY, '1', ...load]).until('its addresses', (line) =>
      line.startsWith('{') ? (JSON.parse(line) as Record<'rest' | 'stream', string>) : null,
    );
    const config = path.join(this.#folder, 'bench.toml');
    const ofSoak = daemonSettings(rest, stream, path.join(this.#folder, 'journal.sqlite'));
    const settings = settingsOf(options, ofSoak);
    const recording = isRecording ? `[record]\npath = "${this.#recording}"\n` : '';
    writeFileSync(config, settings.concat(recording));
    const paper = path.join(this.#folder, 'paper.toml');
    writeFileSync(paper, isPaper ? ON_PAPER : '');
    const files = ['--config', config, '--config', paper];
    const daemon = this.#run([YOUNG_HALF, isPackaged ? PACKAGED : MAIN, 'run', ...files]);
    const addressOf = (name: string) => (line: string) =>
      line.includes(`"${name}"`) ? (JSON.parse(line) as { url: string }).url : null;
    const [metrics, admin] = await Promise.all([
      daemon.until('the address of its metrics', addressOf('metrics_served')),
      daemon.until('the address of its admin interface', addressOf('admin_served')),
    ]);
    await daemon.until('that an order is live', (line) => (line.includes('"order_live"') ? true : null));
    const tokens = notedTokens(Number(new URL(admin).port));
    return { metrics, admin, token: (tokens === null ? null : strongestToken(tokens)) ?? '' };
  }

  /** Stops the daemon and returns the times of its orders, as it recorded them. */
  async orderTimes(): Promise<readonly OrderTime[]> {
    await this.#children[1]?.stop();
    const reader = await RecordingReader.open(diskFolder(this.#recording));
    const asked = new Map<number, { readonly atMs: number; readonly monotonicMs: number }>();
    const times: OrderTime[] = [];
    for await (const record of reader.records({ kinds: ['request', 'answer'] })) {
      const { kind, channel, monotonicMs, wallMs, payload } = record;
      if (kind === 'request') {
        const { method, path: at } = JSON.parse(payload.toString()) as Record<'method' | 'path', string>;
        if (method === 'POST' && at === '/v2/orders/') asked.set(channel, { atMs: wallMs, monotonicMs });
        continue;
      }
      const request = asked.get(channel);
      if (request !== undefined)
        times.push({ atMs: request.atMs, tookMs: monotonicMs - request.monotonicMs });
      asked.delete(channel);
    }
    return times;
  }

  /** Ends both processes and removes their files. */
  end(): void {
    for (const child of this.#children) child.end();
    rmSync(this.#folder, { recursive: true });
  }

  get #recording(): string {
    return path.join(this.#folder, 'recording');
  }

  #run(args: readonly string[]): Child {
    const child = startChild(args, { TOUCHLINE_API_KEY: KEY, ...FEW_ARENAS }, nothing, nothing);
    this.#children.push(child);
    return child;
  }
}

/** Measures a daemon some time after its first order, and ends it. */
export async function measureDaemon(
  options: BenchOptions,
  settleMs: number,
  measure: (place: Place) => Promise<void>,
): Promise<void> {
  const daemon = new BenchDaemon();
  try {
    const place = await daemon.start(options);
    await delay(settleMs);
    await measure(place);
  } finally {
    daemon.end();
  }
}

/** The simulated exchange as a process of its own, beside the daemon's network. */
import path from 'node:path';
import process from 'node:process';
import type { SimOrder } from '../../test/support/own-orders.ts';
import { isOurs } from '../../test/support/own-orders.ts';
import type { Cleanup } from './cleanup.ts';
import { eventually, must, Program } from './processes.ts';

const MAIN = path.join(import.meta.dirname, '../../src/cli/main.ts');
const START_MS = 60_000;
const CLOSED_MS = 30_000;
const QUOTED_MS = 120_000;

/** Fetches an address and prints status and body, from wherever it runs. */
const FETCH = `fetch(process.argv[1]).then(async (answer) => console.log(answer.status + '\\n' + await answer.text()))`;

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * Asks an address in a network, as `{ status, body }`. `enter` is the command that enters the network; empty: this machine's
 * own.
 */
export async function ask(enter: readonly string[], url: string): Promise<Answer> {
  const output = await must([...enter, process.execPath, '--eval', FETCH, url]);
  const [status = '', ...body] = output.split('\n');
  return { status: Number(status), body: body.join('\n') };
}

export class Exchange {
  readonly #enter: readonly string[];
  readonly #control: string;
  readonly rest: string;
  readonly stream: string;

  private constructor(enter: readonly string[], addresses: Record<'rest' | 'stream' | 'control', string>) {
    this.#enter = enter;
    this.#control = addresses.control;
    this.rest = addresses.rest;
    this.stream = addresses.stream;
  }

  /** Starts an exchange that accepts the key, in the network that `enter` enters. */
  static async start(key: string, enter: readonly string[], cleanup: Cleanup): Promise<Exchange> {
    const program = new Program([...enter, process.execPath, MAIN, 'sim', '--key', key]);
    cleanup.defer(() => {
      program.child.kill('SIGTERM');
      return program.ended;
    });
    await program.until('}\n', START_MS);
    const ready = /^\{.*\}$/m.exec(program.stdout)?.[0] ?? '{}';
    return new Exchange(enter, JSON.parse(ready) as Record<'rest' | 'stream' | 'control', string>);
  }

  /** The ids of the daemon's orders that are open, by the exchange's own record. */
  async openOrders(): Promise<ReadonlySet<number>> {
    const { body } = await ask(this.#enter, new URL('orders', this.#control).href);
    const { data } = JSON.parse(body) as { readonly data: readonly SimOrder[] };
    return new Set(data.filter((order) => isOurs(order) && !order.closed).map((order) => order.order_id));
  }

  /** Waits until an order of the daemon is open that was not among the earlier ones. Returns after how long, as text. */
  async quoted(earlier: ReadonlySet<number> = new Set()): Promise<string> {
    const waitedMs = await eventually('a new order is open on the exchange', QUOTED_MS, async () => {
      const open = await this.openOrders();
      return [...open].some((id) => !earlier.has(id));
    });
    return `an order stands after ${(waitedMs / 1000).toFixed(1)} s`;
  }

  /** Waits until no order of the daemon is open. Returns after how long, as text. */
  async cleared(timeoutMs = CLOSED_MS): Promise<string> {
    const waitedMs = await eventually('no order is open on the exchange', timeoutMs, async () => {
      return (await this.openOrders()).size === 0;
    });
    return `none open after ${(waitedMs / 1000).toFixed(1)} s`;
  }

  /** The daemon's configuration for this exchange, with the file of the key if there is one. */
  settings(apiKeyFile?: string): string {
    const keyLine = apiKeyFile === undefined ? '' : `apiKeyFile = "${apiKeyFile}"\n`;
    return `mode = "simulated"

[exchange]
restUrl = "${this.rest}"
streamUrl = "${this.stream}"
${keyLine}
[strategy]
name = "symmetric"

[universe]
marketTypes = ["wdw", "ah", "ou"]
startWithinMinutes = 1440
maxEvents = 3
maxSelections = 4

[journal]
path = "/var/lib/touchline/journal.sqlite"

[log]
level = "info"
`;
  }
}

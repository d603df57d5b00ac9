import { integerBetween, type Random, seededRandom } from '../../../src/lib/random.ts';
import { EVENT_ID } from './names.ts';

export interface FuzzedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

const METHODS = ['GET', 'POST', 'DELETE', 'PUT', 'PATCH', 'OPTIONS'];
const SEGMENTS = [
  'orders',
  'betslips',
  'heartbeats',
  'close',
  'refresh',
  'tracked',
  'updates',
  'offers',
  'x',
  '',
];
const ODD = [
  '%',
  '%zz',
  '%00',
  '..',
  '😀',
  '"',
  'NaN',
  '-1',
  '1e999',
  '9'.repeat(40),
  'a'.repeat(3_000),
  'null',
];
const KEYS = ['key-anna', 'key-anna', 'key-anna', 'wrong', ''];

/** Invalid requests: junk, wrong shapes, unknown names. None may change anything. */
export class Fuzzer {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = seededRandom(seed, 'fuzz');
  }

  request(): FuzzedRequest {
    const [method, path] = this.#chance(0.6) ? this.#knownEndpoint() : this.#anyPath();
    const takesBody = method !== 'GET' && method !== 'OPTIONS';
    const body = takesBody ? this.#badBody() : undefined;
    return { method, path: `${path}${this.#query()}`, body, headers: { 'X-Api-Key': this.#pick(KEYS) } };
  }

  /** A stream frame that is not a command, or one with arguments of the wrong shape. */
  frame(): string {
    if (this.#chance(0.3)) return this.junk();
    const name = this.#pick<unknown>([
      'register_event',
      'unregister_event',
      'list_registered_events',
      'x',
      7,
    ]);
    return JSON.stringify([name, ...Array.from({ length: this.#upTo(4) }, () => this.value(2))]);
  }

  junk(): string {
    const length = this.#upTo(200);
    return Array.from({ length }, () => String.fromCharCode(this.#upTo(0x2ff))).join('');
  }

  bytes(): Buffer {
    return Buffer.from(Array.from({ length: 1 + this.#upTo(300) }, () => this.#upTo(255)));
  }

  /** Any JSON value. */
  value(depth: number): unknown {
    const leaf = [null, true, -1, 0, 1.5, 1e300, '', 'USDT', EVENT_ID, 'for,h', this.junk(), ...ODD];
    if (depth === 0 || this.#chance(0.6)) return this.#pick<unknown>(leaf);
    const items = Array.from({ length: this.#upTo(4) }, () => this.value(depth - 1));
    if (this.#chance(0.5)) return items;
    return Object.fromEntries(items.map((item) => [this.#pick([...FIELDS, ...ODD]), item]));
  }

  #knownEndpoint(): [string, string] {
    const odd = encodeURIComponent(this.#pick(ODD));
    return this.#pick<[string, string]>([
      ['POST', 'orders/'],
      ['POST', 'betslips/'],
      ['POST', 'heartbeats/'],
      ['POST', 'orders/close_many/'],
      ['POST', 'orders/close_all/'],
      ['POST', `orders/${odd}/close/`],
      ['POST', `betslips/${odd}/refresh/`],
      ['POST', `heartbeats/${odd}/refresh/`],
      ['DELETE', `betslips/${odd}/`],
      ['DELETE', `heartbeats/${odd}/`],
      ['GET', 'orders/'],
      ['GET', `orders/${odd}/`],
      ['GET', `orders/tracked/${odd}/`],
      ['GET', 'orders/updates/'],
      ['GET', 'orders/position/'],
      ['GET', 'offers/'],
      ['GET', 'events/'],
      ['GET', `sports/${odd}/bet_types/${odd}/`],
    ]);
  }

  #anyPath(): [string, string] {
    const segments = Array.from({ length: this.#upTo(4) }, () => this.#pick([...SEGMENTS, ...ODD]));
    const raw = segments.join('/').replaceAll(/[^\x21-\x7e]|["#?\\]/g, '');
    return [
      this.#pick(METHODS),
      `${this.#pick(['', '/', '/magic-api/v2/', '/v3/'])}${raw.replace(/^\/+/, '')}`,
    ];
  }

  #query(): string {
    if (this.#chance(0.5)) return '';
    const parts = Array.from({ length: this.#upTo(4) }, () => {
      return `${this.#pick(FIELDS)}=${encodeURIComponent(String(this.#pick<unknown>([...ODD, EVENT_ID, 'fb', '1'])))}`;
    });
    return `?${parts.join('&')}`;
  }

  /** This body is never empty and never acceptable: `{}` would close every order. */
  #badBody(): string {
    if (this.#chance(0.3)) return `{${this.junk()}`;
    if (this.#chance(0.3)) return JSON.stringify([this.value(3)]);
    const fields = this.value(3);
    const object = typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? fields : {};
    return JSON.stringify({ ...object, sport: 7, timeout: 'x', order_ids: 'x', betslip_id: null });
  }

  #pick<T>(from: readonly T[]): T {
    return from[integerBetween(this.#random, 0, from.length - 1)] as T;
  }

  #upTo(most: number): number {
    return integerBetween(this.#random, 0, most);
  }

  #chance(probability: number): boolean {
    return this.#random.next() < probability;
  }
}

const FIELDS = [
  'sport',
  'event_id',
  'bet_type',
  'betslip_type',
  'legs',
  'price',
  'stake',
  'duration',
  'page',
  'page_size',
  'limit',
  'after',
  'updated_at_from',
  'updated_at_to',
  'status',
];

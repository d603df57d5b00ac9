import { NO_MINIMUM, type PriceList } from '../../domain/price-list.ts';
import { EMPTY_PRICE_LIST } from '../../domain/price-list.ts';
import { MICROS_PER_UNIT, toMicros } from '../../domain/money.ts';

/** The punctuation of a price list as one writer of JSON sets it: without white space, or with a blank after , and :. */
interface Layout {
  readonly level: Uint8Array;
  readonly min: Uint8Array;
  readonly pair: Uint8Array;
  readonly max: Uint8Array;
  readonly end: Uint8Array;
  readonly next: Uint8Array;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const layoutWith = (blank: string): Layout => ({
  level: encode(`{"effective":${blank}{"price":${blank}`),
  min: encode(`,${blank}"min":${blank}`),
  pair: encode(`["USDT",${blank}`),
  max: encode(`,${blank}"max":${blank}["USDT",${blank}`),
  end: encode(']}}'),
  next: encode(`,${blank}`),
});

const TIGHT = layoutWith('');
const BLANKS = layoutWith(' ');
const NULL = encode('null');
const PAIR_END = 0x5d;
const [OPEN, CLOSE, ZERO, NINE, POINT, BLANK] = [0x5b, 0x5d, 0x30, 0x39, 0x2e, 0x20];
/** Position in `{"effective":` at which the two layouts differ. */
const TELLTALE = '{"effective":'.length;

/** Mantissas of up to 15 digits and these powers are exact doubles, so their quotient is the nearest one: as JSON.parse. */
const MOST_DIGITS = 15;
const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, i) => 10 ** i);
const LARGEST_AMOUNT = Number.MAX_SAFE_INTEGER / MICROS_PER_UNIT - 1;

/**
 * Reads a `price_list` straight from the bytes of a frame, in the two usual layouts. Anything unusual (other white space
 * or key order, exponents, signs, another currency, prices out of order) is a surprise, for the general reader to judge.
 */
export class PriceText {
  /** After a `read` that was no surprise: the position behind the list. */
  end = 0;
  #array: Uint8Array = new Uint8Array(0);
  #at = 0;
  #surprised = false;
  readonly #packed: number[] = [];

  /** The list that starts at `at` with its bracket, or null for a surprise. */
  read(array: Uint8Array, at: number): PriceList | null {
    this.#array = array;
    this.#at = at + 1;
    this.#surprised = array[at] !== OPEN;
    this.#packed.length = 0;
    if (array[this.#at] !== CLOSE) this.#levels(array[this.#at + TELLTALE] === BLANK ? BLANKS : TIGHT);
    if (this.#surprised || array[this.#at] !== CLOSE) return null;
    this.end = this.#at + 1;
    return this.#packed.length === 0 ? EMPTY_PRICE_LIST : this.#packed.slice();
  }

  #levels(layout: Layout): void {
    let last = Infinity;
    do {
      this.#expect(layout.level);
      const price = this.#number();
      const minMicros = this.#minimum(layout);
      this.#expect(layout.max);
      const maxMicros = this.#amount();
      this.#expect(layout.end);
      if (!(price > 1) || price > last) this.#surprised = true;
      last = price;
      this.#packed.push(price, minMicros, maxMicros);
    } while (!this.#surprised && this.#take(layout.next));
  }

  #minimum(layout: Layout): number {
    this.#expect(layout.min);
    if (this.#take(NULL)) return NO_MINIMUM;
    this.#expect(layout.pair);
    const micros = this.#amount();
    if (this.#array[this.#at++] !== PAIR_END) this.#surprised = true;
    return micros;
  }

  #amount(): number {
    const amount = this.#number();
    if (amount < LARGEST_AMOUNT) return toMicros(amount);
    this.#surprised = true;
    return 0;
  }

  /** `0` or digits without a leading zero, then perhaps a point and digits. */
  #number(): number {
    const array = this.#array;
    const start = this.#at;
    let mantissa = 0;
    let at = start;
    let digit = array[at] as number;
    for (; digit >= ZERO && digit <= NINE; digit = array[++at] as number)
      mantissa = mantissa * 10 + digit - ZERO;
    const whole = at - start;
    let decimals = 0;
    if (digit === POINT) {
      const first = ++at;
      digit = array[at] as number;
      for (; digit >= ZERO && digit <= NINE; digit = array[++at] as number)
        mantissa = mantissa * 10 + digit - ZERO;
      decimals = at - first;
      if (decimals === 0) this.#surprised = true;
    }
    if (whole === 0 || whole + decimals > MOST_DIGITS || (array[start] === ZERO && whole > 1))
      this.#surprised = true;
    this.#at = at;
    return this.#surprised ? 0 : mantissa / (POWERS[decimals] as number);
  }

  #expect(literal: Uint8Array): void {
    if (!this.#take(literal)) this.#surprised = true;
  }

  #take(literal: Uint8Array): boolean {
    const array = this.#array;
    const at = this.#at;
    for (let i = 0; i < literal.length; i++) if (array[at + i] !== literal[i]) return false;
    this.#at = at + literal.length;
    return true;
  }
}

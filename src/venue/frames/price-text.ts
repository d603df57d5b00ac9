import { MICROS_PER_UNIT } from '../../domain/money.ts';
import { EMPTY_PRICE_LIST, NO_MINIMUM, type PriceList } from '../../domain/price-list.ts';
import { BOUNDS } from '../wire/bounds.ts';
import { BYTE, type Bytes, bytesOf, sameBytes } from './bytes.ts';

const { BLANK, CLOSE, NINE, OPEN, POINT, ZERO } = BYTE;

/** The text between the numbers of a price list: without blanks, or with a blank after each `,` and `:`. */
interface Layout {
  readonly first: Bytes;
  /** After a price: no minimum, or a minimum and then `max`. */
  readonly noMin: Bytes;
  readonly min: Bytes;
  readonly max: Bytes;
  /** After a maximum: another level, or none. */
  readonly next: Bytes;
  readonly last: Bytes;
}

const encode = (text: string): Bytes => bytesOf(new TextEncoder().encode(text));

function layoutWith(blank: string): Layout {
  const level = `{"effective":${blank}{"price":${blank}`;
  const min = `,${blank}"min":${blank}`;
  const max = `,${blank}"max":${blank}["USDT",${blank}`;
  return {
    first: encode(level),
    noMin: encode(`${min}null${max}`),
    min: encode(`${min}["USDT",${blank}`),
    max: encode(`]${max}`),
    next: encode(`]}},${blank}${level}`),
    last: encode(']}}'),
  };
}

const TIGHT = layoutWith('');
const BLANKS = layoutWith(' ');
/** The position in `{"effective":` at which the two layouts differ. */
const BLANK_AT = '{"effective":'.length;

/** Mantissas of up to 15 digits and these powers are exact doubles, so the quotient equals that of `JSON.parse`. */
const MOST_DIGITS = 15;
const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, i) => 10 ** i);
/** A position after the end of every frame. */
const NOWHERE = 2 ** 30;
const { most: LARGEST_AMOUNT } = BOUNDS['price_list.max'];
const { least: LEAST_PRICE, most: MOST_PRICE } = BOUNDS['price_list.price'];

/**
 * Reads a `price_list` straight from the bytes of a frame, in the two usual layouts. Anything unusual is left to the
 * general reader: other white space or key order, exponents, signs, another currency, prices out of order or twice, numbers out of
 * bounds.
 */
export class PriceText {
  /** The position after the list that `read` returned last. */
  end = 0;
  /** The `#count` values read so far. The array is never shortened, so that it need not grow again. */
  readonly #packed: number[] = [];
  #count = 0;

  /** The list whose bracket is at `at`; `previous` itself when it is equal; null when the text is unusual. */
  read(data: Bytes, at: number, previous: PriceList): PriceList | null {
    const { array } = data;
    if (array[at] !== OPEN) return null;
    this.#count = 0;
    const close = array[at + 1] === CLOSE ? at + 1 : this.#levels(data, at + 1);
    if (array[close] !== CLOSE || !this.#isPlausible()) return null;
    this.end = close + 1;
    if (this.#isSame(previous)) return previous;
    return this.#count === 0 ? EMPTY_PRICE_LIST : this.#packed.slice(0, this.#count);
  }

  /** Reads the levels from `from` on. Returns the position after them. */
  #levels(data: Bytes, from: number): number {
    const layout = data.array[from + BLANK_AT] === BLANK ? BLANKS : TIGHT;
    let at = after(data, from, layout.first);
    for (;;) {
      at = this.#number(data.array, at, 1);
      at = this.#minimum(data, at, layout);
      at = this.#number(data.array, at, MICROS_PER_UNIT);
      this.#dropWithoutStake();
      const next = after(data, at, layout.next);
      if (next === NOWHERE) return after(data, at, layout.last);
      at = next;
    }
  }

  /** Drops the last level if it has no stake and a valid price. With an invalid price the general reader decides. */
  #dropWithoutStake(): void {
    if (this.#packed[this.#count - 1] === 0 && isPrice(this.#packed[this.#count - 3] as number))
      this.#count -= 3;
  }

  /** Reads the minimum and the text around it. */
  #minimum(data: Bytes, at: number, layout: Layout): number {
    const end = after(data, at, layout.noMin);
    if (end === NOWHERE) return this.#readMinimum(data, at, layout);
    this.#packed[this.#count++] = NO_MINIMUM;
    return end;
  }

  #readMinimum(data: Bytes, at: number, layout: Layout): number {
    const end = this.#number(data.array, after(data, at, layout.min), MICROS_PER_UNIT);
    return after(data, end, layout.max);
  }

  /** Reads `0`, or digits without a leading zero, then perhaps a point and digits. */
  #number(array: Uint8Array, start: number, unit: number): number {
    let mantissa = 0;
    let point = 0;
    let at = start;
    for (; ; at++) {
      const byte = array[at] as number;
      if (byte >= ZERO && byte <= NINE) mantissa = mantissa * 10 + byte - ZERO;
      else if (byte === POINT && point === 0) point = at;
      else break;
    }
    if (!isNumberText(array, start, point, at)) return NOWHERE;
    const value = point === 0 ? mantissa : mantissa / (POWERS[at - point - 1] as number);
    if (value > LARGEST_AMOUNT) return NOWHERE;
    this.#packed[this.#count++] = unit === 1 ? value : Math.round(value * unit);
    return at;
  }

  #isPlausible(): boolean {
    let least = Infinity;
    for (let i = 0; i < this.#count; i += 3) {
      const price = this.#packed[i] as number;
      if (!isPrice(price) || price >= least) return false;
      least = price;
    }
    return true;
  }

  #isSame(list: PriceList): boolean {
    if (this.#count !== list.length) return false;
    for (let i = 0; i < list.length; i++) if (this.#packed[i] !== list[i]) return false;
    return true;
  }
}

const isPrice = (price: number): boolean => price >= LEAST_PRICE && price <= MOST_PRICE;

/** The position after the literal if it is at `at`, else `NOWHERE`. */
const after = (data: Bytes, at: number, literal: Bytes): number =>
  sameBytes(data, at, literal, 0, literal.length) ? at + literal.length : NOWHERE;

/** Whether [start, end) is a number that can be read here. `point` is the position of its point, 0 without one. */
function isNumberText(array: Uint8Array, start: number, point: number, end: number): boolean {
  const whole = (point === 0 ? end : point) - start;
  if (whole === 0 || end - start > MOST_DIGITS || point === end - 1) return false;
  return array[start] !== ZERO || whole === 1;
}

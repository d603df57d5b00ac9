import { InvalidArgumentError, Option } from 'commander';
import { TouchlineError } from '../../domain/errors.ts';

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** `500ms`, `60s`, `2m`, `1.5h` as milliseconds. Throws commander's InvalidArgumentError. */
export function parseDurationMs(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text);
  const durationMs = Number(match?.[1]) * (UNITS_MS[match?.[2] ?? ''] ?? NaN);
  if (!(durationMs > 0))
    throw new InvalidArgumentError('expected a duration above zero such as 500ms, 60s, 2m or 1h');
  return durationMs;
}

/** A text that is not blank. */
export function parseText(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('expected a text');
  return text;
}

/** An HTTP or HTTPS address. */
export function parseAddress(text: string): string {
  if (!URL.canParse(text) || !['http:', 'https:'].includes(new URL(text).protocol)) {
    throw new InvalidArgumentError('expected an address such as http://127.0.0.1:9464');
  }
  return text;
}

/** Throws TouchlineError `usage` if `--to` is not later than `--from`, because the span would be empty. */
export function checkSpan({ from, to }: { readonly from?: number; readonly to?: number }): void {
  if (from !== undefined && to !== undefined && to <= from) {
    throw new TouchlineError('usage', '--to must be later than --from');
  }
}

/** A number above zero. */
export function parsePositive(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError('expected a number above zero');
  }
  return value;
}

/** A number of at least zero. */
export function parseFromZero(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value < 0) {
    throw new InvalidArgumentError('expected a number from zero up');
  }
  return value;
}

/** A whole number from `low` to `high`. */
export function parseInteger(low: number, high: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || value < low || value > high) {
      throw new InvalidArgumentError(`expected a whole number from ${low} to ${high}`);
    }
    return value;
  };
}

/** An ISO 8601 instant with a time zone, as wall-clock milliseconds. */
export function parseInstantMs(text: string): number {
  const instantMs = /(Z|[+-]\d\d:?\d\d)$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(instantMs))
    throw new InvalidArgumentError('expected an instant such as 2026-01-31T19:45:00Z');
  return instantMs;
}

/** Parameters of a strategy by their names. */
type Parameters = Readonly<Record<string, unknown>>;

/** Gathers repeated `--param key=value`. A value is JSON, or else a text. */
export function collectParameters(text: string, earlier: Parameters = {}): Parameters {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('expected key=value, for example halfSpread=0.05');
  return { ...earlier, [text.slice(0, at)]: valueOf(text.slice(at + 1)) };
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The source of the simulator's market. */
export type FeedChoice = { readonly kind: 'model' } | { readonly kind: 'betfair'; readonly file: string };

/** `model` or `betfair:FILE`. */
export function parseFeed(text: string): FeedChoice {
  if (text === 'model') return { kind: 'model' };
  const file = text.startsWith('betfair:') ? text.slice('betfair:'.length) : '';
  if (file === '') throw new InvalidArgumentError('expected model or betfair:FILE');
  return { kind: 'betfair', file };
}

/** `--feed`: the source of the simulator's market; the modelled one by default. */
export const feedOption = (): Option =>
  new Option('--feed <feed>', 'the market: model, or betfair:FILE for a recorded one')
    .default({ kind: 'model' } satisfies FeedChoice, 'model')
    .argParser(parseFeed);

/** `--feed-from`: the instant of a recording at which the market starts. */
export const feedFromOption = (): Option =>
  new Option(
    '--feed-from <instant>',
    'start the recording at this instant (default: an hour before its scheduled start)',
  ).argParser(parseInstantMs);

/** Gathers repeated `--set key=value` flags. */
export function collectSettings(
  text: string,
  earlier: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('expected key=value, for example orders.durationS=20');
  return { ...earlier, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Throws TouchlineError `usage` for an instant of a recording without a recording. */
export function checkFeed({
  feed,
  feedFrom,
}: {
  readonly feed: FeedChoice;
  readonly feedFrom?: number;
}): void {
  if (feedFrom !== undefined && feed.kind === 'model') {
    throw new TouchlineError('usage', '--feed-from needs a recorded market: --feed betfair:FILE');
  }
}

/**
 * A source of uniform numbers in [0, 1). Pure code has no other randomness.
 *
 * @example
 * const coin = (random: Random): Direction => (random.next() < 0.5 ? 'for' : 'against');
 */
export interface Random {
  next(): number;
}

/**
 * A seeded generator (sfc32, Chris Doty-Humphrey's small fast counting generator): the same seed gives the same
 * sequence on every machine. `label` separates independent streams drawn from one seed.
 */
export function seededRandom(seed: number, label = ''): Random {
  let a = hash(`${seed}:${label}:a`);
  let b = hash(`${seed}:${label}:b`);
  let c = hash(`${seed}:${label}:c`);
  let counter = 1;
  const next = (): number => {
    const t = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4294967296;
  };
  for (let i = 0; i < 12; i++) next();
  return { next };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h | 0;
}

/** Uniform integer in [low, high], both included. */
export function integerBetween(random: Random, low: number, high: number): number {
  return low + Math.floor(random.next() * (high - low + 1));
}

/** Uniform number in [low, high). */
export function uniformBetween(random: Random, low: number, high: number): number {
  return low + random.next() * (high - low);
}

/** Exponential waiting time with the given rate (events per unit of time). */
export function exponential(random: Random, rate: number): number {
  return -Math.log(1 - random.next()) / rate;
}

/** Standard normal draw (Box-Muller, one of the pair). */
export function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random.next()));
  return radius * Math.cos(2 * Math.PI * random.next());
}

/** Poisson draw by multiplication (Knuth); for means up to a few hundred. */
export function poisson(random: Random, mean: number): number {
  const limit = Math.exp(-mean);
  let product = random.next();
  let count = 0;
  while (product > limit) {
    product *= random.next();
    count++;
  }
  return count;
}

/** A version 4 UUID, drawn. */
export function uuidFrom(random: Random): string {
  return 'xxxxxxxx-xxxx-4xxx-8xxx-xxxxxxxxxxxx'.replaceAll(/[^-]/g, (place) => {
    const digit = integerBetween(random, 0, 15).toString(16);
    return place === 'x' ? digit : place;
  });
}

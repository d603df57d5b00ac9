import { existsSync, readFileSync } from 'node:fs';
import { PRICE_CONVENTIONS, type PriceConvention } from '../../domain/odds.ts';
import type { VisibleSides } from '../../engine/convention/settings.ts';

/** What the last proof on the account found. */
export interface StoredProof {
  /** Wall-clock milliseconds. */
  readonly atMs: number;
  /** Null if it was not found. */
  readonly convention: PriceConvention | null;
  /** On which markets an order of ours against a selection shows to others. */
  readonly visible: VisibleSides;
}

/** The file of the last proof, beside the journal at `path`. */
export const proofPath = (path: string): string => `${path}.proof.json`;

/** The last proof of the account whose journal is at `path`. Null if there is none, or none that can be read. */
export function lastProof(path: string): StoredProof | null {
  const file = proofPath(path);
  if (path === '' || !existsSync(file)) return null;
  try {
    return proofIn(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}

function proofIn(read: unknown): StoredProof | null {
  if (typeof read !== 'object' || read === null) return null;
  const { atMs, convention = null, visible } = read as Record<string, unknown>;
  if (typeof atMs !== 'number' || typeof visible !== 'object' || visible === null) return null;
  const { against, lay } = visible as Record<string, unknown>;
  const named = PRICE_CONVENTIONS.find((each) => each === convention) ?? null;
  return { atMs, convention: named, visible: { against: against === true, lay: lay === true } };
}

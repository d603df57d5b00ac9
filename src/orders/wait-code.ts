import { REASONS, type Obstacle, type WaitCode } from './send-gate.ts';

export const blockedBy = (code: WaitCode, detail: string | null = null): Obstacle => ({ code, detail });

/** By its code. */
export const reasonCode = ({ code, detail }: Obstacle): string => (detail === null ? code : `${code}: ${detail}`);

/** In words. */
export function reasonInWords({ code, detail }: Obstacle): string {
  const { text } = REASONS[code];
  return detail === null ? text : `${text}: ${detail}`;
}

/** A result as a person tells it. Plain data. */
export type ToldResult =
  /** The score of the event of its sport: of a half, for the event of the half. */
  | { readonly kind: 'score'; readonly home: number; readonly away: number }
  /** The team that won an outright. */
  | { readonly kind: 'winner'; readonly teamId: number }
  | { readonly kind: 'void' };

/** A result in words. */
export function toldInWords(told: ToldResult): string {
  if (told.kind === 'score') return `${told.home}-${told.away}`;
  return told.kind === 'void' ? 'void' : `winner ${told.teamId}`;
}

/** The programme at the beginning: two events under way, some soon, others through the day. Minutes of match time. */
export const OPENING: readonly (readonly [sport: string, startMinutes: number])[] = [
  ['fb', -60],
  ['tennis', -25],
  ['fb', 5],
  ['fb', 22],
  ['basket', 40],
  ['fb', 65],
  ['fb', 95],
  ['cricket', 120],
  ['fb', 160],
  ['horse', 200],
  ['fb', 245],
  ['tennis', 290],
];

/** The sports of later fixtures, repeated without end. */
export const SEQUENCE = ['fb', 'fb', 'basket', 'fb', 'tennis', 'fb', 'fb', 'horse', 'fb', 'cricket'];

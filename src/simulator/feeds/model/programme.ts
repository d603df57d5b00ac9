/** The programme at the beginning: two events under way, four more of as many sports within the hour, others through the day. Minutes of match time. */
export const OPENING: readonly (readonly [sport: string, startMinutes: number])[] = [
  ['fb', -60],
  ['tennis', -25],
  ['fb', 5],
  ['horse', 14],
  ['basket', 25],
  ['cricket', 40],
  ['fb', 65],
  ['fb', 95],
  ['fb', 120],
  ['fb', 160],
  ['fb', 245],
  ['tennis', 290],
];

/** The sports of later fixtures, repeated without end. */
export const SEQUENCE = ['fb', 'fb', 'basket', 'fb', 'tennis', 'fb', 'fb', 'horse', 'fb', 'cricket'];

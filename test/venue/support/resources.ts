import type { BetType, Sport } from '../../../src/domain/ids.ts';
import { packLevels } from '../../../src/domain/price-list.ts';

/** Resources with every published field, as the exchange writes them and as they are read. */
export const NAMES = { sport: 'fb', event_id: 'e', bet_type: 'for,h' };
export const READ_NAMES = { sport: 'fb', eventId: 'e', betType: 'for,h' };
const LEVEL = { effective: { price: 2.02, min: ['USDT', 1], max: ['USDT', 100] } };
const PRICES = packLevels([{ price: 2.02, minMicros: 1e6, maxMicros: 100e6 }]);

export const LEG = {
  id: 3,
  ...NAMES,
  bet_type_description: 'Home',
  live_score: [1, 0],
  price: 2.5,
  outcome: 'w',
};
export const READ_LEG = {
  id: 3,
  ...READ_NAMES,
  betTypeDescription: 'Home',
  liveScore: [1, 0],
  price: 2.5,
  outcome: 'w',
};

export const BET = {
  bet_id: 5,
  order_id: 77,
  order_ccy_rate: 1.5,
  ccy_rate: 1.25,
  ...NAMES,
  status: { code: 'success', reason: 'taken', response_pmm: LEVEL },
  want_price: 2.02,
  got_price: 2.04,
  want_stake: ['USDT', 10],
  got_stake: ['USDT', 4],
  profit_loss: ['USDT', -4],
  reconciled: true,
  exchange_role: 'taker',
};
export const READ_BET = {
  betId: 5,
  orderId: 77,
  orderCcyRate: 1.5,
  ccyRate: 1.25,
  ...READ_NAMES,
  statusCode: 'success',
  statusReason: 'taken',
  responseLevel: { price: 2.02, minMicros: 1e6, maxMicros: 100e6 },
  wantPrice: 2.02,
  gotPrice: 2.04,
  wantStakeMicros: 10e6,
  gotStakeMicros: 4e6,
  profitLossMicros: -4e6,
  reconciled: true,
  exchangeRole: 'taker',
};

const EVENT_INFO = {
  event_type: 'normal',
  event_id: 'e',
  event_name: 'A v B',
  date: '2026-01-01',
  home_id: 10,
  home_team: 'A',
  away_id: 20,
  away_team: 'B',
  competition_id: 7,
  competition_name: 'Cup',
  competition_country: 'GB',
  start_time: '2026-01-01T10:00:00Z',
  end_time: '2026-01-01T12:00:00Z',
  teams: [{ team_id: 1, name: 'One' }],
};
const READ_EVENT_INFO = {
  eventType: 'normal',
  eventId: 'e',
  eventName: 'A v B',
  date: '2026-01-01',
  homeId: 10,
  homeTeam: 'A',
  awayId: 20,
  awayTeam: 'B',
  competitionId: 7,
  competitionName: 'Cup',
  competitionCountry: 'GB',
  startTimeMs: Date.UTC(2026, 0, 1, 10),
  endTimeMs: Date.UTC(2026, 0, 1, 12),
  teams: [{ teamId: 1, name: 'One' }],
};

export const ORDER = {
  order_id: 77,
  order_type: 'lay',
  bet_type: 'for,h',
  bet_type_description: 'Home',
  sport: 'fb',
  want_price: 2.02,
  want_stake: ['USDT', 10.5],
  ccy_rate: 1.5,
  placement_time: '2026-01-01T10:00:00Z',
  expiry_time: '2026-01-01T10:00:15Z',
  closed: true,
  close_reason: 'cancelled',
  status: 'done',
  keep_open_ir: true,
  exchange_mode: 'dark',
  price: 2.03,
  stake: ['USDT', 4],
  profit_loss: ['USDT', -4],
  bet_bar_values: { success: ['USDT', 4], inprogress: 1, danger: '2', unplaced: ['USDT', 3.5] },
  current_score: [2, 1],
  legs: [LEG],
  bets: [BET],
  user_data: 'tag',
  event_info: {
    ...EVENT_INFO,
    result: { ht_home: 1, ht_away: 0, ft_home: 2, ft_away: 1 },
    leg_event_infos: [{ ...EVENT_INFO, event_id: 'leg' }, 'none'],
  },
};
export const READ_ORDER = {
  orderId: 77,
  orderType: 'lay',
  ...READ_NAMES,
  betTypeDescription: 'Home',
  wantPrice: 2.02,
  wantStakeMicros: 10.5e6,
  ccyRate: 1.5,
  placementTimeMs: Date.UTC(2026, 0, 1, 10),
  expiryTimeMs: Date.UTC(2026, 0, 1, 10, 0, 15),
  closed: true,
  closeReason: 'cancelled',
  status: 'done',
  keepOpenInRunning: true,
  exchangeMode: 'dark',
  price: 2.03,
  stakeMicros: 4e6,
  profitLossMicros: -4e6,
  betBarValues: { successMicros: 4e6, inProgressMicros: 1e6, dangerMicros: 2e6, unplacedMicros: 3.5e6 },
  currentScore: [2, 1],
  legs: [READ_LEG],
  bets: [READ_BET],
  userData: 'tag',
  eventInfo: {
    ...READ_EVENT_INFO,
    legEventInfos: [{ ...READ_EVENT_INFO, eventId: 'leg', legEventInfos: [] }],
  },
  result: { halfTime: [1, 0], fullTime: [2, 1] },
};

export const EVENT = {
  sport: 'fb',
  event_id: 'e',
  event_type: 'multirunner',
  event_name: 'Winner',
  ir_status: 'in_running',
  competition_id: 7,
  competition_name: 'Cup',
  competition_country: 'GB',
  home: 'A',
  away: 'B',
  start_time: '2026-01-01T10:00:00Z',
  end_time: 1_767_261_600,
  teams: [{ team_id: 1, name: 'One' }],
};
export const READ_EVENT = {
  sport: 'fb',
  eventId: 'e',
  eventType: 'multirunner',
  eventName: 'Winner',
  irStatus: 'in_running',
  competitionId: 7,
  competitionName: 'Cup',
  competitionCountry: 'GB',
  home: 'A',
  away: 'B',
  startTimeMs: Date.UTC(2026, 0, 1, 10),
  endTimeMs: Date.UTC(2026, 0, 1, 10),
  teams: [{ teamId: 1, name: 'One' }],
};

export const BETSLIP = {
  betslip_id: 'b',
  ...NAMES,
  bet_type_description: 'Home',
  expiry_ts: 1_767_261_600,
  is_open: true,
  close_reason: 'timed_out',
  equivalent_bets: false,
  customer_username: 'me',
  customer_ccy: 'USDT',
  betslip_type: 'lay',
  user_data: 'tag',
  legs: [LEG],
  price_list: [LEVEL],
  total: ['USDT', 7],
};
export const READ_BETSLIP = {
  betslipId: 'b',
  ...READ_NAMES,
  betTypeDescription: 'Home',
  expiryMs: Date.UTC(2026, 0, 1, 10),
  isOpen: true,
  closeReason: 'timed_out',
  equivalentBets: false,
  customerUsername: 'me',
  customerCcy: 'USDT',
  betslipType: 'lay',
  userData: 'tag',
  legs: [READ_LEG],
  priceList: PRICES,
  totalMicros: 7e6,
};

export const OFFER = { ...NAMES, market_type: 'wdw', in_running: true, price_list: [LEVEL] };
export const READ_OFFER = { ...READ_NAMES, marketType: 'wdw', inRunning: true, priceList: PRICES };
export const QUOTE = {
  betslip_id: 'b',
  ...NAMES,
  status: 'success',
  price_list: [LEVEL],
  total: ['USDT', 7],
};
export const READ_QUOTE = {
  betslipId: 'b',
  ...READ_NAMES,
  statusCode: 'success',
  priceList: PRICES,
  totalMicros: 7e6,
};
export const BALANCE = { balance: ['USDT', 5], open_stake: ['USDT', 2], smart_credit: ['USDT', 1] };
export const READ_BALANCE = { balanceMicros: 5e6, openStakeMicros: 2e6, smartCreditMicros: 1e6 };

export const POSITION = {
  sport: 'fb',
  event_id: 'e',
  unknown_bets_num: 2,
  unknown_grid: [['x']],
  cashout_info: { a: 1 },
  payoff_grid: { ccy_code: 'USDT', values: [[1.5, -2]] },
  totals: {
    'for,h': {
      bet_type_description: 'Home',
      got_price: 2,
      got_stake: ['USDT', 3],
      unknown_price: 2.5,
      unknown_stake: ['USDT', 4],
    },
    'for,d': 7,
  },
};
export const READ_POSITION = {
  sport: 'fb',
  eventId: 'e',
  unknownBetsCount: 2,
  unknownGrid: [['x']],
  cashoutInfo: { a: 1 },
  ccyCode: 'USDT',
  payoffGridMicros: [[1.5e6, -2e6]],
  unreadTypes: new Set(['for,d']),
  totals: new Map([
    ['for,h', { gotPrice: 2, gotStakeMicros: 3e6, unknownPrice: 2.5, unknownStakeMicros: 4e6 }],
  ]),
  descriptions: new Map([['for,h', 'Home']]),
};

export const ASKED = { sport: 'fb' as Sport, betType: 'for,h' as BetType };
export const LOOKUP = {
  sport: 'Football',
  bet_type: 'x',
  bet_type_description: 'Home',
  winloss_grid: [['w', 'l']],
};

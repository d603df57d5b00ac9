/** The market and the settings of the soak over sockets, shared by its processes. */

export const BALANCE_USDT = 100_000;

/**
 * Matches run this many times faster, so that a few are over, and their bets settled, within half an hour. Trading stays in real
 * time.
 */
export const MARKET_SPEED = 30;

/** More than there are: the daemon registers the 200 events of the load and those of the modelled market. */
const MOST_EVENTS = 400;
/** The events of the load begin a day after the start. */
const START_WITHIN_MINUTES = 2_880;
const DURATION_S = 60;
const MOST_SELECTIONS = 10;
const OPEN_BETSLIPS = 40;
/** What the market does to the strategy is not the subject, so no limit on losses may end the run. Keys of `risk.loss`. */
export const NO_LOSS_LIMITS: Readonly<Record<string, number>> = {
  dayUsdt: 1_000_000,
  fromPeakUsdt: 1_000_000,
  strategyDayUsdt: 1_000_000,
  strategyFromPeakUsdt: 1_000_000,
};

/** The configuration of the daemon. It quotes market types that the load's events do not have, so that its orders fill. */
export const daemonSettings = (
  rest: string,
  stream: string,
  journalPath: string,
): string => `mode = "simulated"
[exchange]
restUrl = "${rest}"
streamUrl = "${stream}"
[strategy]
name = "symmetric"
[universe]
marketTypes = ["wdw", "ou"]
startWithinMinutes = ${START_WITHIN_MINUTES}
maxEvents = ${MOST_EVENTS}
maxSelections = ${MOST_SELECTIONS}
[orders]
durationS = ${DURATION_S}
openBetslips = ${OPEN_BETSLIPS}
[risk.loss]
${Object.entries(NO_LOSS_LIMITS)
  .map(([key, usdt]) => `${key} = ${usdt}`)
  .join('\n')}
[journal]
path = "${journalPath}"
[ops]
port = 0
[admin]
port = 0
`;

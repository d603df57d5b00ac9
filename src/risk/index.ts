export type { Admission, BlockedQuote } from './admission.ts';
export type { Bet } from './exposure/payoffs.ts';
export type { OutcomeGroup, OutcomePositions, PlacedBet } from './exposure/outcome-positions.ts';
export type { PlayReport } from './exposure/reachable.ts';
export type { Disagreement, GridComparison, PayoffCell } from './exposure/agreement.ts';
export type { EventCircumstances, KnownOutcome } from './single-event-risk.ts';
export { SingleEventRisk } from './single-event-risk.ts';
export type { EventFacts, EventFactsOf, Reference, ReferenceOf } from './facts.ts';
export type { ActiveAlarm, Alarm } from './guards/alarm.ts';
export type { GuardName } from './limits/guard-settings.ts';
export { GUARDS } from './limits/guard-settings.ts';
export { divergenceOf } from './guards/divergence.ts';
export type { Guards } from './guards/index.ts';
export type * from './guards/sightings.ts';
export type { KillRecord } from './states/kill-switch.ts';
export { LIVE_LIMITS } from './limits/sections.ts';
export type { LimitProblem, RiskLimits, RiskLimitsResult } from './limits/limits.ts';
export { readRiskLimits } from './limits/limits.ts';
export type { LimitsOfStrategies, StrategyLimits } from './limits/strategy-limits.ts';
export type { ResultOf, ResultRecord } from './states/loss-watch.ts';
export { seenResults } from './states/loss-watch.ts';
export { reduces } from './exposure/reducing.ts';
export type { RefusalCode } from './refusal-codes.ts';
export { REFUSAL_CODES } from './refusal-codes.ts';
export type {
  EventExposure,
  EventRisk,
  ScoredBet,
  ExposureReport,
  HeldEvent,
  ScopeExposure,
} from './report.ts';
export type { LimitUse } from './limit-uses.ts';
export type { Risk, RiskDeps, RiskNotice, RiskRead } from './api.ts';
export type { RiskSnapshot } from './api.ts';
export { createRisk } from './account-risk.ts';
export type { EffectiveState, Scope, StateRecord, TradingState } from './states/trading-states.ts';
export { ACCOUNT, eventScope, scopeName, scopeOfSelection } from './states/trading-states.ts';
export type { Stage, StageVerdict, WantedQuote, WhyReport } from './why.ts';

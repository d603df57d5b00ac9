export type { EventFacts, EventFactsOf, Reference, ReferenceOf } from './facts.ts';
export type { RiskLimits, RiskLimitsResult, LimitProblem } from './limits.ts';
export { liveRiskLimitsSchema, readRiskLimits, riskLimitsSchema } from './limits.ts';
export type { ExposureReport, EventExposure, ScopeExposure } from './report.ts';
export type { EffectiveState, Scope, StateRecord, TradingState } from './trading-states.ts';
export { ACCOUNT, scopeName } from './trading-states.ts';
export type { KillRecord } from './kill-switch.ts';
export type { Risk, RiskDeps, RiskSnapshot } from './risk.ts';
export { createRisk } from './risk.ts';

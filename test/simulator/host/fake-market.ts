import type { EventResult, Market, SimEvent } from '../../../src/simulator/core/api.ts';

/** A market that only writes down what is done to it. */
export class FakeMarket implements Market {
  readonly calls: unknown[][] = [];

  putEvent(event: SimEvent, nowMs: number): void {
    this.calls.push(['putEvent', event.eventId, nowMs]);
  }
  removeEvent(eventId: string): void {
    this.calls.push(['removeEvent', eventId]);
  }
  goInRunning(eventId: string): void {
    this.calls.push(['goInRunning', eventId]);
  }
  setSuspended(eventId: string, suspended: boolean): void {
    this.calls.push(['setSuspended', eventId, suspended]);
  }
  setScore(eventId: string, home: number, away: number): void {
    this.calls.push(['setScore', eventId, home, away]);
  }
  setRedCards(eventId: string, home: number, away: number): void {
    this.calls.push(['setRedCards', eventId, home, away]);
  }
  setTime(eventId: string, period: string, minutes: number | null): void {
    this.calls.push(['setTime', eventId, period, minutes]);
  }
  settle(eventId: string, result: EventResult): void {
    this.calls.push(['settle', eventId, result]);
  }
  voidEvent(eventId: string): void {
    this.calls.push(['voidEvent', eventId]);
  }
  clear(): void {
    this.calls.push(['clear']);
  }
  setLevel(): void {
    this.calls.push(['setLevel']);
  }
  setMinimum(participant: string, leastMicros: number): void {
    this.calls.push(['setMinimum', participant, leastMicros]);
  }
  clearLevels(): void {
    this.calls.push(['clearLevels']);
  }
  take(): number {
    return 0;
  }
  trade(): number {
    return 0;
  }
  levels(): readonly [] {
    return [];
  }
  isSuspended(): boolean {
    return false;
  }
  isInRunning(): boolean {
    return false;
  }
}

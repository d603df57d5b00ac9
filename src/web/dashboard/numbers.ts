/** Numbers as the page writes them. */

/** An amount with two digits, or none when it is large; the sign is a real minus. */
export const usdt = (amount: number): string => signed(amount, Math.abs(amount) >= 1_000 ? 0 : 2);

/** The same with a plus before a gain. */
export const gain = (amount: number): string => (amount > 0 ? `+${usdt(amount)}` : usdt(amount));

/** A whole amount, for narrow places. */
export const whole = (amount: number): string => signed(amount, 0);

/** A share in percent. */
export const percent = (share: number, digits = 1): string => `${signed(share * 100, digits)} %`;

/** A decimal price. */
export const price = (value: number): string => value.toFixed(value >= 100 ? 0 : 2);

/** The time of day in UTC. */
export const timeOfDay = (wallMs: number): string => new Date(wallMs).toISOString().slice(11, 19);

function signed(value: number, digits: number): string {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

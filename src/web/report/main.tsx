import { render } from 'preact';
import { DATA_ID, type Payload, unpackReport } from '../../research/report/payload.ts';
import '../design/tokens.css';
import '../components/theme.css';
import { ComparePage } from './compare-page.tsx';
import { ReportPage } from './report-page.tsx';

/** Shows the data that the page holds. */
function show(): void {
  const place = document.createElement('div');
  document.body.append(place);
  const text = document.getElementById(DATA_ID)?.textContent ?? '';
  if (text === '') {
    place.textContent = 'This page holds no report. touchline backtest --out writes one.';
    return;
  }
  const payload = JSON.parse(text) as Payload;
  if (payload.kind === 'report') render(<ReportPage report={unpackReport(payload.report)} />, place);
  else render(<ComparePage a={unpackReport(payload.a)} b={unpackReport(payload.b)} />, place);
}

show();

import { render } from 'preact';
import '../design/tokens.css';
import '../components/theme.css';
import { App } from './app.tsx';
import './dashboard.css';
import './workspace/workspace.css';
import './workspace/ladder/ladder.css';

const place = document.getElementById('dashboard');
if (place !== null) render(<App />, place);

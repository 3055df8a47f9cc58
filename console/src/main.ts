import { applyTheme } from './shell/theme';
import { decideLanguage } from './text/language';
import { loadTexts } from './text/text';
import './style/theme.css';
import './style/base.css';
import './style/control.css';
import './style/form.css';
import './style/table.css';
import './style/parts.css';
import './style/shell.css';

applyTheme();

// Many files read texts as soon as they are loaded. So the texts come first, and everything that shows a page after them.
void loadTexts(decideLanguage()).then(() => import('./render'));

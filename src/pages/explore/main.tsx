/** The page `/explore`. */
import { render } from 'preact';

const root = document.getElementById('page');
if (root !== null) render(<h1>Explore</h1>, root);

/// <reference types="vitepress/client" />
import theme from 'vitepress/theme-without-fonts';
import './colours.css';

export default theme;

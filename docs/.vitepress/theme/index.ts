/// <reference types="vitepress/client" />
import theme from 'vitepress/theme-without-fonts';
import './site.css';

export default theme;

/** The mark for browser tabs: the bean with its crease, in colours of its own. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
  <rect width="32" height="32" rx="7" fill="#1d4b3a"/>
  <ellipse cx="16" cy="16" rx="8" ry="11.5" transform="rotate(32 16 16)" fill="#fbf5e6"/>
  <path d="M21.6 7c-4.6 4-2.2 6.4-5.6 9.2-3.6 2.9-1.4 5.9-6.1 8.8" fill="none"
    stroke="#1d4b3a" stroke-width="2.2" stroke-linecap="round"/>
</svg>
`;

// What the console does in the browser beyond htmx: keys, copying, charts, events
// as they arrive, and files that are dropped. Pages work without it.
'use strict';
(() => {
  const $ = (sel, at = document) => at.querySelector(sel);
  const all = (sel, at = document) => [...at.querySelectorAll(sel)];
  const typing = (el) => el.closest('input, select, textarea, [contenteditable]') !== null;

  // ---- rows and keys ----
  let at = null;
  const rows = () => all('tbody tr[data-open], section[data-open]').filter((r) => r.offsetParent !== null);
  const go = (step) => {
    const list = rows();
    if (!list.length) return;
    here();
    const i = list.indexOf(at);
    if (at) at.classList.remove('at');
    at = list[Math.max(0, Math.min(list.length - 1, i < 0 ? 0 : i + step))];
    at.classList.add('at');
    at.scrollIntoView({ block: 'nearest' });
    const link = $('a', at);
    if (link) link.focus({ preventScroll: true });
  };
  // A row that was marked is another one in the same place.
  const here = () => {
    if (at && !at.isConnected) at = at.id ? document.getElementById(at.id) : null;
    if (at) at.classList.add('at');
    return at;
  };
  const press = (name) => { here(); const b = at && $(`[data-key="${name}"]`, at); if (b) { b.click(); return true; } return false; };
  const places = { t: '/console/', c: '/console/companies', p: '/console/portfolios', e: '/console/events', k: '/console/kyc', h: '/console/checks' };
  let going = 0;
  document.addEventListener('keydown', (ev) => {
    if (ev.ctrlKey || ev.metaKey || ev.altKey) return;
    if (ev.key === 'Escape') { all('details.menu[open]').forEach((d) => { d.open = false; }); if (typing(ev.target)) ev.target.blur(); return; }
    if (typing(ev.target) || $('dialog[open]')) return;
    // A page with one hit needs nobody to choose it.
    if (!at && rows().length === 1 && rows()[0].matches('section')) at = rows()[0];
    if (going && Date.now() - going < 1500 && places[ev.key]) { going = 0; location.href = places[ev.key]; return; }
    going = 0;
    switch (ev.key) {
      case '/': { const f = $('#find'); if (f) { f.focus(); f.select(); ev.preventDefault(); } break; }
      case 'j': go(1); break;
      case 'k': go(-1); break;
      case 'g': going = Date.now(); break;
      case 'Enter': if (at && ev.target === document.body) location.href = at.dataset.open; break;
      case 'e': case 'w': if (press(ev.key)) ev.preventDefault(); break;
      case 'y': case 'n': case 'u': if (press(ev.key)) ev.preventDefault(); break;
      case 'm': { const f = here() && $('[data-key="m"]', at); if (f) { f.focus(); ev.preventDefault(); } break; }
      case '?': { const d = $('#help'); if (d) d.showModal(); break; }
    }
  });

  // ---- clicks ----
  document.addEventListener('click', (ev) => {
    const copy = ev.target.closest('[data-copy]');
    if (copy) {
      navigator.clipboard.writeText(copy.dataset.copy).then(() => {
        copy.textContent = 'copied';
        setTimeout(() => { copy.textContent = 'copy'; }, 1500);
      });
    }
    if (ev.target.closest('[data-help]')) { const d = $('#help'); if (d) d.showModal(); }
    all('details.menu[open]').forEach((d) => { if (!d.contains(ev.target)) d.open = false; });
  });
  document.addEventListener('change', (ev) => {
    const form = ev.target.closest('form[data-auto]');
    if (form) form.requestSubmit();
  });
  // What can be taken back can be so for ten seconds.
  const fade = (root) => all('[data-fade]', root).forEach((el) => setTimeout(() => el.remove(), Number(el.dataset.fade)));

  // ---- charts, on the page's own colours ----
  const charts = [];
  const token = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const draw = (root) => {
    if (typeof uPlot === 'undefined') return;
    all('[data-chart]', root).forEach((fig) => {
      const plot = $('.plot', fig);
      if (plot.firstChild) return;
      const x = fig.dataset.x.split(' ').filter(Boolean).map(Number);
      const y = fig.dataset.y.split(' ').filter(Boolean).map((v) => (v === '-' ? null : Number(v)));
      if (!x.length) return;
      const bars = fig.dataset.chart === 'bars';
      const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
      const dayOf = (s, year) => { const d = new Date(s * 1000); return `${d.getUTCDate()} ${months[d.getUTCMonth()]}${year ? ` ${d.getUTCFullYear()}` : ''}`; };
      const wide = x[x.length - 1] - x[0] > 200 * 86400;
      const axis = { stroke: token('--second'), grid: { stroke: token('--line'), width: 1 }, ticks: { stroke: token('--line') }, font: '12px system-ui' };
      const u = new uPlot({
        width: plot.clientWidth || 600, height: 180, tzDate: (ts) => uPlot.tzDate(new Date(ts * 1000), 'Etc/UTC'),
        cursor: { y: false, points: { size: 7 } },
        scales: { x: { range: (_, lo, hi) => (bars ? [lo - 43200, hi + 43200] : [lo, Math.max(hi, lo + 86400)]) }, y: { range: (_, lo, hi) => (fig.dataset.unit === 'points' ? [0, 100] : [0, Math.max(1, hi * 1.1)]) } },
        axes: [{ ...axis, space: 70, values: (_, list) => list.map((s) => dayOf(s, wide)) }, { ...axis, size: 56, label: fig.dataset.unit, labelSize: 18, labelFont: '12px system-ui' }],
        series: [{ label: 'Day', value: (_, s) => (s == null ? '–' : dayOf(s, true)) }, {
          label: fig.dataset.label, value: (_, n) => (n == null ? '–' : n), stroke: token('--accent'), width: bars ? 0 : 2,
          fill: bars ? token('--accent') : undefined, spanGaps: true,
          paths: bars ? uPlot.paths.bars({ size: [0.7, 40] }) : uPlot.paths.stepped({ align: 1 }),
          points: { show: !bars && x.length < 60, size: 5 },
        }],
      }, [x, y], plot);
      charts.push([u, plot]);
    });
  };
  addEventListener('resize', () => charts.forEach(([u, plot]) => u.setSize({ width: plot.clientWidth, height: 180 })));
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    charts.splice(0).forEach(([u]) => u.destroy());
    draw(document);
  });

  // ---- events as they arrive ----
  const follow = () => {
    const body = $('[data-stream]');
    if (!body) return;
    const state = $('#live');
    const most = Number(body.dataset.most);
    // What is waiting is drawn a few rows at a time: nobody reads two hundred
    // rows at once, and a page that draws them at once does not scroll meanwhile.
    let waiting = [];
    let told = 0;
    let timer = 0;
    const flush = () => {
      timer = 0;
      const list = waiting.splice(0, 4);
      const t = document.createElement('template');
      t.innerHTML = list.reverse().join('');
      const fresh = [...t.content.children];
      body.prepend(t.content);
      while (body.rows.length > most) body.rows[body.rows.length - 1].remove();
      fresh.forEach((r) => { if (r.isConnected) htmx.process(r); });
      const total = $('#total');
      total.dataset.n = Number(total.dataset.n) + told;
      told = 0;
      total.textContent = total.dataset.n === '1' ? '1 event' : `${total.dataset.n.replace(/\B(?=(\d{3})+$)/g, '\u202f')} events`;
      const none = $('#none');
      if (none) none.hidden = true;
      if (waiting.length) timer = setTimeout(flush, 20);
    };
    const source = new EventSource(body.dataset.stream);
    source.onopen = () => { state.textContent = 'live'; state.className = 'state good'; };
    source.onerror = () => { state.textContent = 'connecting again'; state.className = 'state warn'; };
    source.onmessage = (ev) => {
      told += 1;
      waiting.push(ev.data);
      if (waiting.length > most) waiting.shift();
      if (!timer) timer = setTimeout(flush, 100);
    };
    addEventListener('pagehide', () => source.close());
  };

  // ---- files that are dropped ----
  const drops = (root) => all('form.drop', root).forEach((form) => {
    const input = $('input[type=file]', form);
    const bar = $('progress', form);
    const word = $('[data-word]', form);
    const send = (file) => {
      const data = new FormData(form);
      data.set('file', file, file.name);
      const x = new XMLHttpRequest();
      bar.hidden = false;
      word.textContent = `Sending ${file.name}`;
      x.upload.onprogress = (ev) => { if (ev.lengthComputable) bar.value = ev.loaded / ev.total; };
      x.onload = () => {
        if (x.status < 400) { location.href = x.responseURL; return; }
        const page = new DOMParser().parseFromString(x.responseText, 'text/html');
        const said = $('.notice', page);
        $('#notices').replaceChildren(said || document.createTextNode('That did not work.'));
        bar.hidden = true;
        word.textContent = 'Drop another file, or choose one.';
      };
      x.onerror = () => { word.textContent = 'The connection broke. Try again.'; bar.hidden = true; };
      x.open('POST', form.action);
      x.send(data);
    };
    form.addEventListener('dragover', (ev) => { ev.preventDefault(); form.classList.add('over'); });
    form.addEventListener('dragleave', () => form.classList.remove('over'));
    form.addEventListener('drop', (ev) => {
      ev.preventDefault();
      form.classList.remove('over');
      if (ev.dataTransfer.files.length) send(ev.dataTransfer.files[0]);
    });
    form.addEventListener('submit', (ev) => { if (input.files.length) { ev.preventDefault(); send(input.files[0]); } });
  });

  // ---- forms: what was refused stays as it was typed, and nothing is sent twice ----
  const answer = async (form, r) => {
    const to = r.headers.get('HX-Redirect');
    if (to) { location.href = to; return true; }
    const page = new DOMParser().parseFromString(await r.text(), 'text/html');
    const main = $('main', page);
    if (!main) { // a refusal
      $('#notices').replaceChildren(...page.body.childNodes);
      $('#notices').scrollIntoView({ block: 'nearest' });
      return false;
    }
    $('main').replaceWith(main);
    document.title = page.title;
    at = null;
    htmx.process(main);
    start(main);
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
    return true;
  };
  document.addEventListener('submit', async (ev) => {
    const form = ev.target;
    if (ev.defaultPrevented || form.method !== 'post' || !form.closest('main') || form.matches('.drop, .outside form')) return;
    if (form.matches('[hx-post]')) { // drawn this moment, and pressed before htmx had seen it
      if (form._htmx) return;
      ev.preventDefault();
      htmx.process(form);
      setTimeout(() => form.requestSubmit(ev.submitter)); // a form does not submit within its own submitting
      return;
    }
    ev.preventDefault();
    if (form.dataset.sent) return;
    form.dataset.sent = 'yes';
    let gone = false;
    try {
      gone = await answer(form, await fetch(ev.submitter?.getAttribute('formaction') || form.getAttribute('action'), {
        method: 'POST', body: new URLSearchParams(new FormData(form, ev.submitter)), headers: { 'HX-Request': 'true', 'X-Form': 'true' },
      }));
    } catch {
      $('#notices').textContent = 'The connection broke. What you wrote is still here: try again.';
    }
    if (!gone) delete form.dataset.sent;
  });

  // ---- drafts survive a reload ----
  const drafts = (root) => all('form[data-draft]', root).forEach((form) => {
    const name = `draft ${form.dataset.draft}`;
    try {
      const kept = JSON.parse(sessionStorage.getItem(name) || '{}');
      all('input[name], textarea[name], select[name]', form).forEach((el) => {
        if (el.type !== 'hidden' && el.type !== 'password' && kept[el.name] !== undefined && !el.value) el.value = kept[el.name];
      });
      form.addEventListener('input', () => {
        const now = {};
        all('input[name], textarea[name], select[name]', form).forEach((el) => { if (el.type !== 'hidden' && el.type !== 'password') now[el.name] = el.value; });
        sessionStorage.setItem(name, JSON.stringify(now));
      });
      form.addEventListener('submit', () => sessionStorage.removeItem(name));
    } catch { /* a browser that keeps nothing */ }
  });

  if (document.body.classList.contains('outside')) { try { sessionStorage.clear(); } catch { /* as above */ } }

  const start = (root) => { draw(root); drops(root); drafts(root); fade(root); };
  // The bar of a narrow page is wider than the page: where one is must show.
  const rail = $('.rail');
  const word = rail && $('[aria-current]', rail);
  if (word && word.offsetLeft + word.offsetWidth > rail.clientWidth) rail.scrollLeft = word.offsetLeft - (rail.clientWidth - word.offsetWidth) / 2;

  start(document);
  follow();
  document.addEventListener('htmx:after:swap', () => { draw(document); fade(document); here(); });
})();

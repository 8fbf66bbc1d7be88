// What a page does beyond being read: switch the resource, sort, search, walk through the tree by keys.
(function () {
  "use strict";
  const all = (selector, within) => Array.from((within || document).querySelectorAll(selector));
  const bar = document.querySelector(".bar");
  if (!bar) return;
  bar.hidden = false;

  // The switches: of clusters, and of the resources of each; without this script all of them are shown.
  function switched(choice, sections) {
    const choose = () => sections.forEach((section, index) => { section.hidden = index !== choice.selectedIndex; });
    choice.addEventListener("change", choose);
    choose();
    return choose;
  }
  const clusters = all("section.cluster");
  all(".pick").forEach((pick) => {
    pick.hidden = false;
    switched(pick.querySelector("select"), all("section.pair", pick.closest("section.cluster")));
  });
  const cluster = bar.querySelector("select");
  if (cluster) {
    const choose = switched(cluster, clusters);
    const follow = () => {  // a link to a part of a cluster shows that cluster
      const target = document.getElementById(location.hash.slice(1));
      const number = clusters.indexOf(target && target.closest("section.cluster"));
      if (number < 0) return;
      cluster.selectedIndex = number;
      choose();
      target.scrollIntoView();
    };
    window.addEventListener("hashchange", follow);
    follow();
  }

  // Sorting: numbers by their value, everything else as text; a second press turns the order.
  function key(row, column) {
    const cell = row.cells[column];
    if (!cell) return "";
    const exact = cell.firstElementChild && cell.firstElementChild.dataset.v;
    const text = exact === undefined || exact === null ? cell.textContent.trim() : exact;
    if (text === "" || text === "–") return Number.NEGATIVE_INFINITY;
    const number = Number(text);
    return Number.isNaN(number) ? text : number;
  }
  function compare(one, other) {
    if (typeof one === "number" && typeof other === "number") return one - other;
    if (typeof one === "number") return -1;
    if (typeof other === "number") return 1;
    return one.localeCompare(other, "en", { numeric: true });
  }
  function sort(head) {
    const table = head.closest("table");
    const turned = head.getAttribute("aria-sort") === "ascending";
    all("th", table).forEach((each) => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", turned ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = Array.from(body.rows).map((row) => [key(row, head.cellIndex), row]);
    rows.sort((one, other) => (turned ? compare(other[0], one[0]) : compare(one[0], other[0])));
    body.append(...rows.map((pair) => pair[1]));
  }
  all("table.sortable th").forEach((head) => {
    head.tabIndex = 0;
    head.setAttribute("role", "button");
    head.addEventListener("click", () => sort(head));
    head.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        sort(head);
      }
    });
  });

  // Copying: what a table shows, as CSV; a cell that a spreadsheet would run gets a sign in front, as in -o csv.
  const formula = /^\s*(?:[=@＝＠＋－]|[-+](?![0-9.]*[A-Za-z%]*$))./;
  function field(cell) {
    const text = cell.textContent.trim();
    const plain = formula.test(text) ? `'${text}` : text;
    return /[",\n]/.test(plain) ? `"${plain.replace(/"/g, '""')}"` : plain;
  }
  function csv(table) {
    const rows = [table.tHead.rows[0], ...Array.from(table.tBodies[0].rows).filter((row) => !row.hidden)];
    return rows.map((row) => `${Array.from(row.cells).map(field).join(",")}\n`).join("");
  }
  function copy(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done ? Promise.resolve() : Promise.reject(new Error("not copied"));
  }
  all("table.sortable").forEach((table) => {
    const button = document.createElement("button");
    button.className = "csv";
    button.type = "button";
    button.textContent = "copy as CSV";
    button.addEventListener("click", () => {
      const say = (text) => {
        button.textContent = text;
        setTimeout(() => { button.textContent = "copy as CSV"; }, 2000);
      };
      copy(csv(table)).then(() => say("copied"), () => say("the browser does not allow it"));
    });
    table.closest(".wide").before(button);
  });

  // Search: rows without the words are hidden, boxes that are meant get a frame.
  const search = bar.querySelector("input");
  const count = bar.querySelector("output");
  const rows = all("tbody tr").map((row) => [row, row.textContent.toLowerCase()]);
  const boxes = all("g.q");
  function find() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach(([row, text]) => {
      const hit = words.every((word) => text.includes(word));
      row.hidden = !hit;
      if (hit) shown += 1;
    });
    boxes.forEach((box) => {
      const name = box.dataset.q.toLowerCase();
      box.classList.toggle("hit", words.length > 0 && words.every((word) => name.includes(word)));
    });
    all("details").forEach((group) => {
      const left = all("tbody tr", group).some((row) => !row.hidden);
      group.hidden = words.length > 0 && !left;
    });
    count.textContent = words.length ? `${shown} of ${rows.length} rows` : "";
  }
  let due = 0;
  search.addEventListener("input", () => {
    clearTimeout(due);
    due = setTimeout(find, 80);
  });

  // Keys: "/" searches, Escape clears, arrows walk through the boxes, Enter searches for the box's name.
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !typing) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape") {
      search.value = "";
      find();
      search.blur();
    }
  });
  function edges(box) {
    const shape = box.querySelector("rect");
    return ["x", "y", "width"].map((name) => Number(shape.getAttribute(name)));
  }
  function next(box, way) {
    const [x, y, width] = edges(box);
    const others = all("g.q", box.closest("svg")).filter((other) => other !== box);
    const placed = others.map((other) => [other, ...edges(other)]);
    const beside = placed.filter(([, , top]) => top === y);
    const middle = x + width / 2;
    const found = {
      ArrowLeft: beside.filter(([, left]) => left < x).pop(),
      ArrowRight: beside.find(([, left]) => left > x),
      ArrowUp: placed.filter(([, left, top, wide]) => top < y && left <= middle && middle <= left + wide).pop(),
      ArrowDown: placed.find(([, left, top]) => top > y && left >= x - 0.1 && left < x + width),
    }[way];
    return found && found[0];
  }
  all("svg.icicle").forEach((picture) => {
    const first = picture.querySelector("g.q");
    if (first) first.setAttribute("tabindex", "0");
    picture.addEventListener("keydown", (event) => {
      const box = event.target.closest("g.q");
      if (!box) return;
      if (event.key === "Enter") {
        search.value = box.dataset.q;
        find();
        return;
      }
      const other = next(box, event.key);
      if (other) {
        event.preventDefault();
        other.focus();
      }
    });
    picture.addEventListener("click", (event) => {
      const box = event.target.closest("g.q");
      if (!box) return;
      search.value = box.dataset.q;
      find();
    });
  });

  // On paper every group is open.
  let closed = [];
  window.addEventListener("beforeprint", () => {
    closed = all("details:not([open])");
    closed.forEach((group) => { group.open = true; });
  });
  window.addEventListener("afterprint", () => closed.forEach((group) => { group.open = false; }));
})();

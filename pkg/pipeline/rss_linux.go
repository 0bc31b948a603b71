package pipeline

const rssUnit = 1 << 10 // Linux counts kilobytes

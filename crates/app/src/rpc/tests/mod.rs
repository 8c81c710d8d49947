mod calling;
mod pair;
mod serving;

"""What is played: the rules of a turn, the rules between turns, when a race is over, and what is wanted."""
